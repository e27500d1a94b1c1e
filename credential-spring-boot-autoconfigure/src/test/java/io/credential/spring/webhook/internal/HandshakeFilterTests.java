package io.credential.spring.webhook.internal;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletInputStream;

import io.credential.spring.webhook.WebhookHandshake;
import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The requests by which senders check a URL. */
class HandshakeFilterTests {

    private static final byte[] HELLO = "Hello, World!".getBytes(UTF_8);
    private static final String OF_HELLO = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    @Test
    void requestWhenHandshakeAnswersThenNotPassedOn() throws Exception {
        MockHttpServletResponse response = answer(echo("GET"), get("challenge=a%20b%C3%A4"));

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentAsString()).isEqualTo("a bä");
        assertThat(response.getContentLength()).isEqualTo(5);
    }

    @Test
    void answerThenBrowsersDoNotRunIt() throws Exception {
        MockHttpServletResponse response = answer(echo("GET"), get("challenge=%3Cscript%3E"));

        assertThat(response.getContentAsString()).isEqualTo("<script>");
        assertThat(response.getContentType()).isEqualTo("text/plain;charset=UTF-8");
        assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void answerWhenJsonThenEscaped() throws Exception {
        WebhookHandshake handshake = handshake(
                Set.of("GET"), query -> WebhookHandshake.Answer.json(Map.of("token", query.getOrDefault("token", ""))));

        MockHttpServletResponse response = answer(handshake, get("token=%22%7D"));

        assertThat(response.getContentType()).isEqualTo("application/json");
        assertThat(response.getContentAsString()).isEqualTo("{\"token\":\"\\\"}\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"other=1", "challenge=1&challenge=2", "challenge=%", "=1&challenge=1", "challenge=1&more=%C3", ""
            })
    void requestWhenItIsNotAHandshakeThenRefused(String query) throws Exception {
        assertThat(answer(echo("GET"), get(query)).getStatus()).isEqualTo(405);
    }

    @Test
    void requestWhenItHasNoQueryThenRefused() throws Exception {
        assertThat(answer(echo("GET"), get(null)).getStatus()).isEqualTo(405);
    }

    @Test
    void requestWhenQueryIsTooLongThenRefused() throws Exception {
        String longest = "challenge=" + "a".repeat(4096 - "challenge=".length());

        assertThat(answer(echo("GET"), get(longest)).getStatus()).isEqualTo(200);
        assertThat(answer(echo("GET"), get(longest + "a")).getStatus()).isEqualTo(405);
    }

    @Test
    void requestWhenOfAnotherMethodThenNeedsASignature() throws Exception {
        MockHttpServletRequest post = new MockHttpServletRequest("POST", "/hook");
        post.setQueryString("challenge=1");

        assertThat(answer(echo("GET"), post).getStatus()).isEqualTo(401);
        assertThat(answer(echo("POST"), post).getStatus()).isEqualTo(200);
    }

    @Test
    void requestWhenHandshakeAnswersThenBodyIsNotRead() throws Exception {
        MockHttpServletRequest post = new MockHttpServletRequest("POST", "/hook") {
            @Override
            public ServletInputStream getInputStream() {
                throw new AssertionError("The body was read");
            }
        };
        post.setQueryString("challenge=1");

        assertThat(answer(echo("POST"), post).getContentAsString()).isEqualTo("1");
    }

    /** The application sent it there, with a query that it chose. */
    @Test
    void requestWhenForwardedThenNoHandshake() throws Exception {
        MockHttpServletRequest forwarded = get("challenge=1");
        forwarded.setDispatcherType(DispatcherType.FORWARD);

        assertThat(answer(echo("GET"), forwarded).getStatus()).isEqualTo(405);
    }

    @Test
    void requestWhenHandshakeFailsThenNotAccepted() throws Exception {
        WebhookHandshake failing = handshake(Set.of("GET"), query -> {
            throw new IllegalStateException("secret detail");
        });
        try (CapturedLog log = CapturedLog.of(WebhookSignatureFilter.class)) {
            MockHttpServletResponse response = answer(failing, get("challenge=1"));

            assertThat(response.getStatus()).isEqualTo(500);
            assertThat(response.getContentAsString())
                    .contains("webhook/internal")
                    .doesNotContain("secret detail");
            assertThat(log.lines()).singleElement().asString().contains("handshake", "'sender'");
        }
    }

    @Test
    void verifiedRequestWhenHandshakeAnswersThenNotPassedOn() throws Exception {
        MockHttpServletResponse response = answer(repeatingBody(), signed());

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentAsByteArray()).isEqualTo(HELLO);
    }

    @Test
    void verifiedRequestWhenNotAnsweredThenPassedOn() throws Exception {
        MockFilterChain chain = new MockFilterChain();

        filter(echo("GET")).doFilter(signed(), new MockHttpServletResponse(), chain);

        assertThat(Objects.requireNonNull(chain.getRequest()).getInputStream().readAllBytes())
                .isEqualTo(HELLO);
    }

    @Test
    void handshakeWhenSignatureIsInvalidThenNotAsked() throws Exception {
        MockHttpServletRequest forged = signed();
        forged.setContent("Hello, world!".getBytes(UTF_8));

        assertThat(answer(repeatingBody(), forged).getStatus()).isEqualTo(401);
    }

    @Test
    void slackWhenItVerifiesTheUrlThenChallengeIsReturned() {
        SlackUrlVerification slack = new SlackUrlVerification("slack");
        WebhookHandshake.Answer answer = slack.answerVerified(
                "{\"token\":\"t\",\"challenge\":\"3eZbrw1a\",\"type\":\"url_verification\"}".getBytes(UTF_8));

        assertThat(Objects.requireNonNull(answer).body()).isEqualTo("3eZbrw1a".getBytes(UTF_8));
        assertThat(slack.methods()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "token=1&command=%2Fweather",
                "{\"challenge\":\"1\"}",
                "{\"type\":\"event_callback\",\"challenge\":\"1\"}",
                "{\"type\":\"url_verification\"}",
                "{\"type\":\"url_verification\",\"challenge\":1}",
                "{\"event\":{\"type\":\"url_verification\",\"challenge\":\"1\"}}"
            })
    void slackWhenItSendsSomethingElseThenPassedOn(String body) {
        assertThat(new SlackUrlVerification("slack").answerVerified(body.getBytes(UTF_8)))
                .isNull();
    }

    @Test
    void slackWhenBodyIsLongThenPassedOn() {
        String event = "{\"type\":\"url_verification\",\"challenge\":\"1\"}";

        assertThat(new SlackUrlVerification("slack")
                        .answerVerified((event + " ".repeat(1024 - event.length())).getBytes(UTF_8)))
                .isNotNull();
        assertThat(new SlackUrlVerification("slack")
                        .answerVerified((event + " ".repeat(1025 - event.length())).getBytes(UTF_8)))
                .isNull();
    }

    @Test
    void answerWhenTooLongThenRefused() {
        assertThat(WebhookHandshake.Answer.text("ä".repeat(8192)).body()).hasSize(16_384);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookHandshake.Answer.text("ä".repeat(8192) + "a"))
                .withMessageContaining("16384");
    }

    private static MockHttpServletResponse answer(WebhookHandshake handshake, MockHttpServletRequest request)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        filter(handshake).doFilter(request, response, chain);
        assertThat(chain.getRequest()).as("what came through").isNull();
        return response;
    }

    private static WebhookSignatureFilter filter(WebhookHandshake handshake) {
        MutableClock clock = MutableClock.atNewYear();
        WebhookVerifier verifier = WebhookVerifier.builder()
                .scheme(WebhookSchemes.gitHub())
                .key("v1", "It's a Secret to Everybody")
                .clock(clock)
                .nonceStore(new InMemoryNonceStore(clock))
                .build();
        return new WebhookSignatureFilter(
                List.of(new InboundWebhook(
                        "sender",
                        List.of("/hook"),
                        Set.of("POST"),
                        SignatureCheck.of(verifier),
                        100,
                        false,
                        handshake,
                        null)),
                unsigned -> false,
                new FormLimits(10, null));
    }

    private static MockHttpServletRequest get(@Nullable String query) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/hook");
        request.setQueryString(query);
        return request;
    }

    private static MockHttpServletRequest signed() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(HELLO);
        request.addHeader("X-Hub-Signature-256", OF_HELLO);
        return request;
    }

    private static WebhookHandshake echo(String method) {
        return handshake(Set.of(method), query -> {
            String challenge = query.get("challenge");
            return challenge == null ? null : WebhookHandshake.Answer.text(challenge);
        });
    }

    private static WebhookHandshake handshake(Set<String> methods, Answering answering) {
        return new WebhookHandshake() {

            @Override
            public String sender() {
                return "sender";
            }

            @Override
            public Set<String> methods() {
                return methods;
            }

            @Override
            public @Nullable Answer answer(Map<String, String> query) {
                return answering.answer(query);
            }
        };
    }

    private static WebhookHandshake repeatingBody() {
        return new WebhookHandshake() {

            @Override
            public String sender() {
                return "sender";
            }

            @Override
            public Set<String> methods() {
                return Set.of();
            }

            @Override
            public Answer answerVerified(byte[] body) {
                return Answer.text(new String(body, UTF_8));
            }
        };
    }

    private interface Answering {

        WebhookHandshake.@Nullable Answer answer(Map<String, String> query);
    }
}
