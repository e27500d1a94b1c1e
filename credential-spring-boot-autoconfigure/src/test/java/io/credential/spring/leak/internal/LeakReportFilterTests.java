package io.credential.spring.leak.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.ServletException;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakedKey;

import static org.assertj.core.api.Assertions.assertThat;

/** Nothing reaches the handler without a valid signature, and nothing passes the filter. */
class LeakReportFilterTests {

    private static final int MAX_BYTES = 2000;
    private static final int MAX_REPORTS = 3;
    private static final String BODY =
            "[{\"token\":\"bk_live_00_11\",\"type\":\"a \\\"type\\\"\",\"url\":\"https://a.example/1\",\"source\":\"commit\"}]";

    private final Partner partner = new Partner();
    private final List<LeakReport> handled = new ArrayList<>();
    private @Nullable RuntimeException failure;
    private ReportKeys keys =
            id -> Optional.of(id).filter(Partner.KEY_ID::equals).map(known -> ReportKey.fromPem(partner.pem()));

    @Test
    void reportWhenSignedThenHandledAndFeedbackHasHashes() throws Exception {
        MockHttpServletResponse response = send(signed(BODY));

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentType()).isEqualTo("application/json");
        assertThat(response.getContentAsString())
                .isEqualTo(
                        "[{\"token_hash\":\"5ef0a2fd5c9d1c9a0a1e\",\"token_type\":\"a \\\"type\\\"\",\"label\":\"false_positive\"}]"
                                .replace("5ef0a2fd5c9d1c9a0a1e", sha256("bk_live_00_11")));
        assertThat(handled).containsExactly(new LeakReport("bk_live_00_11", "commit", "https://a.example/1"));
    }

    @Test
    void reportWhenNoneThenEmptyFeedback() throws Exception {
        assertThat(send(signed("[]")).getContentAsString()).isEqualTo("[]");
    }

    @Test
    void reportWhenUnknownMembersThenIgnored() throws Exception {
        assertThat(send(signed("[{\"token\":\"x\",\"url\":null,\"more\":{\"a\":[1,2]}}]"))
                        .getStatus())
                .isEqualTo(200);
        assertThat(handled).containsExactly(new LeakReport("x", null, null));
    }

    @Test
    void reportWhenSignatureIsInvalidThen401() throws Exception {
        MockHttpServletRequest changed = signed(BODY);
        changed.setContent((BODY + " ").getBytes(StandardCharsets.UTF_8));
        MockHttpServletRequest unsigned = request(BODY);
        MockHttpServletRequest twice = signed(BODY);
        twice.addHeader("Github-Public-Key-Signature", partner.sign(BODY));
        MockHttpServletRequest unknown = request(BODY);
        unknown.addHeader("Github-Public-Key-Identifier", "unknown");
        unknown.addHeader("Github-Public-Key-Signature", partner.sign(BODY));
        MockHttpServletRequest other = request(BODY);
        other.addHeader("Github-Public-Key-Identifier", Partner.KEY_ID);
        other.addHeader("Github-Public-Key-Signature", new Partner().sign(BODY));

        for (MockHttpServletRequest request : List.of(changed, unsigned, twice, unknown, other)) {
            assertProblem(send(request), 401, LeakReportFilter.UNAUTHORIZED);
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void reportWhenUnsignedThenBodyIsNeitherReadNorParsed() throws Exception {
        assertProblem(send(request("{".repeat(10_000))), 401, LeakReportFilter.UNAUTHORIZED);
        MockHttpServletRequest unsignedHostile = request("[".repeat(1000));
        unsignedHostile.addHeader("Github-Public-Key-Identifier", Partner.KEY_ID);
        unsignedHostile.addHeader("Github-Public-Key-Signature", "AAAA");
        assertProblem(send(unsignedHostile), 401, LeakReportFilter.UNAUTHORIZED);
    }

    @Test
    void reportWhenKeysAreUnavailableThen503() throws Exception {
        keys = id -> {
            throw new KeysUnavailableException("x");
        };

        MockHttpServletResponse response = send(signed(BODY));

        assertProblem(response, 503, LeakReportFilter.UNAVAILABLE);
        assertThat(response.getHeader("Retry-After")).isEqualTo("5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "null",
                "[1]",
                "[[]]",
                "[{}]",
                "[{\"token\":1}]",
                "[{\"token\":\"a\"}",
                "[{\"token\":\"a\"}] x",
                "[{\"token\":\"a\",\"token\":\"b\"}]",
                "[{\"token\":\"a\",\"x\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}]"
            })
    void reportWhenMalformedThen400WithoutItsText(String body) throws Exception {
        MockHttpServletResponse response = send(signed(body));

        assertProblem(response, 400, LeakReportFilter.MALFORMED);
        assertThat(handled).isEmpty();
    }

    @Test
    void reportWhenTypeIsVeryLongThen400() throws Exception {
        assertProblem(
                send(signed("[{\"token\":\"a\",\"type\":\"" + "t".repeat(256) + "\"}]")),
                400,
                LeakReportFilter.MALFORMED);
    }

    @Test
    void reportWhenBodyIsTooLongThen413() throws Exception {
        MockHttpServletRequest unknownLength = new MockHttpServletRequest("POST", "/") {
            @Override
            public long getContentLengthLong() {
                return -1;
            }
        };
        unknownLength.setContentType("application/json");
        String body = " ".repeat(MAX_BYTES) + "[]";
        assertProblem(send(signed(body)), 413, LeakReportFilter.TOO_LARGE);
        assertProblem(send(sign(unknownLength, body)), 413, LeakReportFilter.TOO_LARGE);
        assertThat(send(signed(" ".repeat(MAX_BYTES - 2) + "[]")).getStatus()).isEqualTo(200);
    }

    @Test
    void reportWhenTooManyThen413AndNoneIsHandled() throws Exception {
        assertProblem(send(signed(reports(MAX_REPORTS + 1))), 413, LeakReportFilter.TOO_LARGE);
        assertThat(handled).isEmpty();

        assertThat(send(signed(reports(MAX_REPORTS))).getStatus()).isEqualTo(200);
        assertThat(handled).hasSize(MAX_REPORTS);
    }

    @Test
    void requestWhenNotPostThen405() throws Exception {
        MockHttpServletRequest get = signed(BODY);
        get.setMethod("GET");

        MockHttpServletResponse response = send(get);

        assertProblem(response, 405, LeakReportFilter.METHOD_NOT_ALLOWED);
        assertThat(response.getHeader("Allow")).isEqualTo("POST");
    }

    @Test
    void requestWhenNotJsonThen415() throws Exception {
        MockHttpServletRequest form = signed(BODY);
        form.setContentType("application/x-www-form-urlencoded");
        MockHttpServletRequest none = signed(BODY);
        none.setContentType(null);
        MockHttpServletRequest malformed = signed(BODY);
        malformed.setContentType("a/b/c");
        MockHttpServletRequest compressed = signed(BODY);
        compressed.addHeader("Content-Encoding", "gzip");

        for (MockHttpServletRequest request : List.of(form, none, malformed, compressed)) {
            assertProblem(send(request), 415, LeakReportFilter.UNSUPPORTED_MEDIA_TYPE);
        }
    }

    @Test
    void reportWhenAnotherNodeLeadsThen503WithItsUrl() throws Exception {
        failure = new NotLeaderException("n1", "https://n1.example.org");

        MockHttpServletResponse response = send(signed(BODY));

        assertProblem(response, 503, "api-key/not-leader");
        assertThat(response.getHeader("Retry-After")).isEqualTo("5");
        assertThat(response.getContentAsString())
                .contains("\"leader\":\"n1\"", "\"leaderUrl\":\"https://n1.example.org\"");
    }

    @Test
    void reportWhenNotProcessedThen503WithoutTheCause() throws Exception {
        for (RuntimeException cause : List.of(
                new ApiKeyException(ApiKeyErrorCode.UNAVAILABLE, "internal detail"),
                new IllegalStateException("internal detail"))) {
            failure = cause;
            MockHttpServletResponse response = send(signed(BODY));

            assertProblem(response, 503, LeakReportFilter.UNAVAILABLE);
            assertThat(response.getHeader("Retry-After")).isEqualTo("5");
            assertThat(response.getContentAsString()).doesNotContain("internal detail");
        }
    }

    private static String reports(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"token\":\"t" + i + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private MockHttpServletRequest signed(String body) {
        return sign(request(body), body);
    }

    private MockHttpServletRequest sign(MockHttpServletRequest request, String body) {
        request.setContent(body.getBytes(StandardCharsets.UTF_8));
        request.addHeader("GITHUB-PUBLIC-KEY-IDENTIFIER", Partner.KEY_ID);
        request.addHeader("Github-Public-Key-Signature", partner.sign(body));
        return request;
    }

    private static MockHttpServletRequest request(String body) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/credential/leak-reports");
        request.setContentType("application/json; charset=utf-8");
        request.setContent(body.getBytes(StandardCharsets.UTF_8));
        return request;
    }

    private MockHttpServletResponse send(MockHttpServletRequest request) throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        new LeakReportFilter(id -> keys.find(id), this::handle, MAX_BYTES, MAX_REPORTS)
                .doFilter(request, response, chain);
        assertThat(chain.getRequest()).as("what passes the filter").isNull();
        return response;
    }

    private List<Optional<LeakedKey>> handle(List<LeakReport> reports) {
        if (failure != null) {
            throw failure;
        }
        handled.addAll(reports);
        return reports.stream().map(report -> Optional.<LeakedKey>empty()).toList();
    }

    private static void assertProblem(MockHttpServletResponse response, int status, String code) throws Exception {
        assertThat(response.getStatus()).isEqualTo(status);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        assertThat(response.getContentAsString())
                .contains("\"code\":\"" + code + "\"")
                .doesNotContain("bk_live");
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
