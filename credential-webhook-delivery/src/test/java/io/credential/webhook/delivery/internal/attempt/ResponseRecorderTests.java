package io.credential.webhook.delivery.internal.attempt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.delivery.internal.queue.HeaderText;
import io.credential.webhook.delivery.internal.queue.StoredResponse;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseRecorderTests {

    private static final String TOKEN_SECRET = "0123456789abcdef".repeat(4);

    @Test
    void failedWhenManyHeadersThenSixteenAreKept() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int i = 0; i < 50; i++) {
            headers.put("x-" + i + "a".repeat(300), List.of("z".repeat(20_000)));
        }

        Map<String, String> kept = headers(headers);

        assertThat(kept).hasSize(ResponseRecorder.MAX_HEADERS).allSatisfy((name, value) -> {
            assertThat(name).hasSize(64);
            assertThat(value).hasSize(ResponseRecorder.MAX_VALUE);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set-cookie",
                "authorization",
                "www-authenticate",
                "proxy-authenticate",
                "authentication-info",
                "x-api-key",
                "x-auth-token",
                "x-csrf",
                "x-session-id",
                "webhook-signature",
                "x-amz-secret",
                "x-auth",
                "x-goog-iap-jwt-assertion"
            })
    void failedWhenNameIsOfASecretThenMasked(String name) {
        assertThat(headers(Map.of(name, List.of("hunter2")))).containsEntry(name, "******");
    }

    @Test
    void failedWhenSecretCrossesTheLimitThenMasked() {
        String secret = "Bearer " + "s".repeat(2 * ResponseRecorder.MAX_VALUE);

        StoredResponse stored = ResponseRecorder.failed(
                response(400, Map.of("x-echo", List.of("token=" + secret.substring(7)), "x-plain", List.of("v1"))),
                List.of(secret, "1"));

        assertThat(HeaderText.ofText(stored.headers()))
                .containsEntry("x-echo", "token=******")
                .containsEntry("x-plain", "v1");
    }

    @Test
    void failedWhenValueHoldsASecretThenMasked() {
        StoredResponse stored = ResponseRecorder.failed(
                response(400, Map.of("x-echo", List.of("Bearer hunter2"), "server", List.of("a_b_" + TOKEN_SECRET))),
                List.of("hunter2"));

        assertThat(HeaderText.ofText(stored.headers()))
                .containsEntry("x-echo", "Bearer ******")
                .containsEntry("server", "a_b_******");
    }

    @Test
    void failedWhenHeaderIsNotPrintableThenReplaced() {
        assertThat(headers(Map.of("server", List.of("a\0b\r\nc: d\u202ee\ud800", "f"))))
                .containsExactly(Map.entry("server", "a\ufffdb\ufffd\ufffdc: d\ufffde\ufffd, f"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://other.example/a/b, https://other.example/a/b",
        "https://user:secret@other.example/, https://******@other.example/",
        "'', ''",
        "javascript:alert(1), javascript:alert(1)",
        "'//\u0007\0', '//\ufffd\ufffd'"
    })
    void failedWhenRedirectedThenLocationIsKept(String location, String kept) {
        StoredResponse stored =
                ResponseRecorder.failed(response(301, Map.of("location", List.of(location))), List.of());

        assertThat(stored.location()).isEqualTo(kept);
        assertThat(stored.headers()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.example/b?token=s&next=/c?d=s#id=s, https://a.example/b?token=******&next=******?d=******#id=******",
        "/login;jsessionid=s, /login;jsessionid=******",
        "/login?c2VjcmV0==&a=, /login?******&******",
        "/login?#, /login?#"
    })
    void failedWhenLocationHasParametersThenOnlyNames(String location, String kept) {
        StoredResponse stored =
                ResponseRecorder.failed(response(302, Map.of("location", List.of(location))), List.of());

        assertThat(stored.location()).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "<https://a.example/?token=s&page=2>; rel=next, <https://a.example/?token=******&page=******>; rel=next",
        "0; url=/a#id_token=s, 0; url=/a#id_token=******",
        "'0; url=''/a?b=s,s;s'', x', '0; url=''/a?b=******'', x'",
        "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln, Bearer ******",
        "text/html; charset=utf-8, text/html; charset=utf-8"
    })
    void failedWhenHeaderHoldsParametersOrJwtThenMasked(String value, String kept) {
        assertThat(headers(Map.of("x", List.of(value)))).containsEntry("x", kept);
    }

    @Test
    void failedWhenLocationIsLongThenCut() {
        StoredResponse stored = ResponseRecorder.failed(
                response(308, Map.of("location", List.of("https://x/" + "-".repeat(20_000)))), List.of());

        assertThat(stored.location()).startsWith("https://x/-").hasSize(ResponseRecorder.MAX_LOCATION);
    }

    @Test
    void acceptedThenHeadersAreNotKept() {
        assertThat(ResponseRecorder.accepted(response(200, Map.of("server", List.of("x")))))
                .isEqualTo(new StoredResponse(200, null, null, ""));
    }

    private static Map<String, String> headers(Map<String, List<String>> headers) {
        return HeaderText.ofText(
                ResponseRecorder.failed(response(500, headers), List.of()).headers());
    }

    private static WebhookResponse response(int status, Map<String, List<String>> headers) {
        return new WebhookResponse(status, "", null, headers);
    }
}
