package io.credential.spring.webhook.internal;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A sender whose webhook was not processed sends it again, and is not refused then. */
class FailedProcessingTests {

    private static final byte[] BODY = "Hello, World!".getBytes(UTF_8);
    private static final String SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    private static final String SECRET = "It's a Secret to Everybody";
    private static final FilterChain SUCCESS = (request, response) -> {};

    private final MutableClock clock = MutableClock.atNewYear();
    private final WebhookSignatureFilter filter = filter(gitHub(new InMemoryNonceStore(clock)));

    @Test
    void resendWhenProcessedThenRefused() throws Exception {
        assertThat(answer(SUCCESS)).isEqualTo(200);

        assertThat(answer(SUCCESS)).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 500, 503})
    void resendWhenStatusWasAFailureThenAccepted(int status) throws Exception {
        answer((request, response) -> ((HttpServletResponse) response).setStatus(status));

        assertThat(answer(SUCCESS)).isEqualTo(200);
    }

    @Test
    void resendWhenProcessingHasThrownThenAccepted() throws Exception {
        assertThatExceptionOfType(ServletException.class)
                .isThrownBy(() -> answer((request, response) -> {
                    throw new ServletException("no disk");
                }));

        assertThat(answer(SUCCESS)).isEqualTo(200);
    }

    @Test
    void resendWhenVerificationsAreBoundedThenAccepted() throws Exception {
        WebhookSignatureFilter bounded = filter(
                VerificationTurns.onHalfOf(2).bounding(SignatureCheck.of(gitHub(new InMemoryNonceStore(clock)))));
        FilterChain failure = (request, response) -> ((HttpServletResponse) response).setStatus(500);

        assertThat(answer(bounded, "X-Hub-Signature-256", SIGNATURE, failure)).isEqualTo(500);
        assertThat(answer(bounded, "X-Hub-Signature-256", SIGNATURE, SUCCESS)).isEqualTo(200);
    }

    /** Whoever recorded the request could otherwise close the connection, and repeat it. */
    @Test
    void resendWhenOnlyTheResponseWasLostThenRefused() throws Exception {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> answer((request, response) -> {
                    response.flushBuffer();
                    throw new IOException("Broken pipe");
                }));

        assertThat(answer(SUCCESS)).isEqualTo(401);
    }

    @Test
    void resendWhenATimeoutIsAnsweredWith2xxThenRefused() throws Exception {
        MockAsyncContext processing = startAsync(new MockHttpServletResponse());
        for (AsyncListener listener : processing.getListeners()) {
            listener.onTimeout(new AsyncEvent(processing));
        }
        processing.complete();

        assertThat(answer(SUCCESS)).isEqualTo(401);
    }

    @Test
    void resendWhenAsynchronousProcessingFailsThenAccepted() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockAsyncContext processing = startAsync(response);
        assertThat(answer(SUCCESS)).as("still being processed").isEqualTo(401);

        response.setStatus(500);
        processing.complete();

        assertThat(answer(SUCCESS)).isEqualTo(200);
    }

    @Test
    void resendWhenAsynchronousProcessingEndsThenRefused() throws Exception {
        startAsync(new MockHttpServletResponse()).complete();

        assertThat(answer(SUCCESS)).isEqualTo(401);
    }

    /** The next attempt of such a sender has another id. */
    @Test
    void resendWhenAttemptsHaveIdsOfTheirOwnThenRefused() throws Exception {
        WebhookSignatureFilter own = filter(WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .clock(clock)
                .nonceStore(new InMemoryNonceStore(clock))
                .build());
        String signature = Objects.requireNonNull(WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .clock(clock)
                .build()
                .sign(BODY)
                .headers()
                .get("Webhook-Signature"));
        FilterChain failure = (request, response) -> ((HttpServletResponse) response).setStatus(500);

        assertThat(answer(own, "Webhook-Signature", signature, failure)).isEqualTo(500);
        assertThat(answer(own, "Webhook-Signature", signature, SUCCESS)).isEqualTo(401);
    }

    @Test
    void answerWhenNonceCannotBeForgottenThenUnchanged() throws Exception {
        NonceStore stubborn = new NonceStore() {
            @Override
            public boolean checkAndInsert(String nonce, Instant expireAt) {
                return true;
            }

            @Override
            public void forget(String nonce, Instant expireAt) {
                throw new IllegalStateException("The database does not answer");
            }
        };
        try (CapturedLog log = CapturedLog.of(WebhookSignatureFilter.class)) {
            assertThat(answer(
                            filter(gitHub(stubborn)),
                            "X-Hub-Signature-256",
                            SIGNATURE,
                            (request, response) -> ((HttpServletResponse) response).setStatus(500)))
                    .isEqualTo(500);

            assertThat(log.lines()).singleElement().asString().contains("Could not remove the nonce", "'sender'");
        }
    }

    private MockAsyncContext startAsync(MockHttpServletResponse response) throws Exception {
        MockHttpServletRequest request = request("X-Hub-Signature-256", SIGNATURE);
        request.setAsyncSupported(true);
        filter.doFilter(request, response, (verified, unused) -> verified.startAsync());
        return (MockAsyncContext) Objects.requireNonNull(request.getAsyncContext());
    }

    private int answer(FilterChain chain) throws ServletException, IOException {
        return answer(filter, "X-Hub-Signature-256", SIGNATURE, chain);
    }

    private static int answer(WebhookSignatureFilter filter, String header, String signature, FilterChain chain)
            throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter.doFilter(request(header, signature), response, chain);
        return response.getStatus();
    }

    private static MockHttpServletRequest request(String header, String signature) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(BODY);
        request.addHeader(header, signature);
        return request;
    }

    private WebhookVerifier gitHub(NonceStore store) {
        return WebhookVerifier.builder()
                .scheme(WebhookSchemes.gitHub())
                .key("v1", SECRET)
                .clock(clock)
                .nonceStore(store)
                .build();
    }

    private static WebhookSignatureFilter filter(WebhookVerifier verifier) {
        return filter(SignatureCheck.of(verifier));
    }

    private static WebhookSignatureFilter filter(SignatureCheck check) {
        InboundWebhook webhook =
                new InboundWebhook("sender", List.of("/hook"), Set.of("POST"), check, BODY.length, false, null, null);
        return new WebhookSignatureFilter(List.of(webhook), unsigned -> false, new FormLimits(10, null));
    }
}
