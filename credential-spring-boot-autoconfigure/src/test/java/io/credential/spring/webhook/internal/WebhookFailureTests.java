package io.credential.spring.webhook.internal;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.ServletInputStream;

import io.credential.audit.AuditEvent;
import io.credential.spring.webhook.WebhookHost;
import io.credential.spring.webhook.internal.VerificationTurns.TooManyVerificationsException;
import io.credential.testing.CapturedLog;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A webhook whose signature cannot be verified is not accepted. */
class WebhookFailureTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);

    @Test
    void requestWhenNonceStoreFailsThenNotAccepted() throws Exception {
        NonceStore failing = (nonce, expireAt) -> {
            throw new IllegalStateException("secret detail of the store");
        };

        MockHttpServletResponse answer =
                answer(SignatureCheck.of(verifier().nonceStore(failing).build()));

        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getContentAsString())
                .contains("\"code\":\"webhook/unavailable\"")
                .doesNotContain("secret detail");
    }

    @Test
    void requestWhenVerificationGetsNoTurnThenNotAccepted() throws Exception {
        VerificationTurns turns = new VerificationTurns(1, 1, Duration.ZERO);
        turns.acquire();

        assertInternal(answer(turns.bounding(SignatureCheck.of(verifier().build()))));
        turns.requirePlace();
    }

    @Test
    void requestWhenTooManyWaitThenRefusedWithBodyUnread() throws Exception {
        MockHttpServletRequest request = signed();
        MockHttpServletResponse response = new MockHttpServletResponse();

        filter(busy(0).bounding(SignatureCheck.of(verifier().build())))
                .doFilter(request, response, new MockFilterChain());

        assertInternal(response);
        assertThat(request.getInputStream().available()).isEqualTo(BODY.length);
    }

    @Test
    void requestsWhenTooManyWaitThenAuditedAtOnceAndAsCount() throws Exception {
        List<AuditEvent> audited = new ArrayList<>();
        WebhookVerifier verifier = verifier().audit(audited::add).build();
        SignatureCheck check = busy(0).bounding(SignatureCheck.of(verifier));
        try (CapturedLog log = CapturedLog.of(WebhookSignatureFilter.class)) {
            for (int i = 0; i < 3; i++) {
                assertInternal(answer(check));
            }

            assertThat(log.events()).isEmpty();
        }

        assertThat(audited).extracting(AuditEvent::reason).containsExactly("overloaded");
        verifier.close();
        assertThat(audited).hasSize(2).last().satisfies(count -> {
            assertThat(count.reason()).isEqualTo("overloaded");
            assertThat(count.attributes()).containsEntry("count", 2L);
        });
    }

    @Test
    void verifyWhenPlaceIsLostMeanwhileThenRefusedAtOnce() {
        VerificationTurns turns = new VerificationTurns(1, 0, Duration.ofDays(1));
        PresentedSignature<?> late =
                turns.bounding(SignatureCheck.of(verifier().build())).examine(signed());
        turns.acquire();

        assertThatExceptionOfType(TooManyVerificationsException.class).isThrownBy(() -> late.verify(BODY));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "16, 8"})
    void turnsWhenTheMachineHasProcessorsThenHalfOfThem(int processors, int running) {
        assertThat(VerificationTurns.onHalfOf(processors).free()).isEqualTo(running);
    }

    @Test
    void verificationWhenItFailsThenGivesItsTurnBack() {
        VerificationTurns one = new VerificationTurns(1, 0, Duration.ZERO);
        PresentedSignature<?> failing = one.bounding(request -> new PresentedSignature<>() {
                    @Override
                    public Object verify(byte @Nullable [] body, Runnable signatureChecked) {
                        assertThatExceptionOfType(TooManyVerificationsException.class)
                                .isThrownBy(one::requirePlace);
                        throw new IllegalStateException("fails");
                    }

                    @Override
                    public void abandon(String reason) {}
                })
                .examine(signed());

        assertThatIllegalStateException().isThrownBy(() -> failing.verify(BODY)).withMessage("fails");
        one.requirePlace();
        one.acquire();
    }

    @Test
    void nonceStoreWhenItBlocksThenOthersGetTheirTurn() {
        VerificationTurns one = new VerificationTurns(1, 0, Duration.ZERO);
        SignatureCheck other = one.bounding(SignatureCheck.of(verifier().build()));
        // Until this call returns, the store blocks.
        NonceStore blocking = (nonce, expireAt) -> {
            other.examine(signed()).verify(BODY);
            return true;
        };

        one.bounding(SignatureCheck.of(verifier().nonceStore(blocking).build()))
                .examine(signed())
                .verify(BODY);

        assertThat(one.free()).isEqualTo(1);
    }

    @Test
    void auditSinkWhenItBlocksThenOthersGetTheirTurn() {
        VerificationTurns one = new VerificationTurns(1, 0, Duration.ZERO);
        SignatureCheck other = one.bounding(SignatureCheck.of(verifier().build()));
        List<Object> meanwhile = new ArrayList<>();
        SignatureCheck rejecting = one.bounding(SignatureCheck.of(verifier()
                .audit(event -> meanwhile.add(other.examine(signed()).verify(BODY)))
                .build()));

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> rejecting.examine(signed()).verify(new byte[1]));

        assertThat(meanwhile).hasSize(1);
    }

    @Test
    void requestWhenHeaderIsMissingThenBodyIsNotRead() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(BODY);
        MockHttpServletResponse response = new MockHttpServletResponse();

        filter(SignatureCheck.of(verifier().build())).doFilter(request, response, new MockFilterChain());

        assertThat(response.getStatus()).isEqualTo(401);
        assertThat(request.getInputStream().available()).isEqualTo(BODY.length);
    }

    @Test
    void requestWhenBodyCannotBeReadThenNotAccepted() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();

        filter(SignatureCheck.of(verifier().build())).doFilter(broken(), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContentAsString())
                .contains("\"code\":\"webhook/bad-body\"")
                .doesNotContain("secret detail");
    }

    @Test
    void requestWhenRefusedBeforeComparisonThenAudited() throws Exception {
        List<String> reasons = new ArrayList<>();
        SignatureCheck check = SignatureCheck.of(
                verifier().audit(event -> reasons.add(event.reason())).build());
        MockHttpServletRequest tooLong = new MockHttpServletRequest("POST", "/hook");
        tooLong.setContent(new byte[101]);
        sign(tooLong);

        filter(check).doFilter(broken(), new MockHttpServletResponse(), new MockFilterChain());
        filter(check).doFilter(tooLong, new MockHttpServletResponse(), new MockFilterChain());
        filter(busy(0).bounding(check)).doFilter(signed(), new MockHttpServletResponse(), new MockFilterChain());
        filter(busy(1).bounding(check)).doFilter(signed(), new MockHttpServletResponse(), new MockFilterChain());

        // The second of a kind is only counted for now.
        assertThat(reasons).containsExactly("unreadable-body", "body-too-large", "overloaded");
    }

    @Test
    void requestWhenProcessorBodyIsTooLongThenAudited() throws Exception {
        List<String> reasons = new ArrayList<>();
        ProcessorSignature pair = ProcessorSignature.builder()
                .secret(WebhookHost.SECRET)
                .auditSuccess(false)
                .audit(event -> reasons.add(event.reason()))
                .build();
        MockHttpServletRequest tooLong = new MockHttpServletRequest("POST", "/hook");
        tooLong.setContent(new byte[101]);
        tooLong.addHeader("Processor-Signature", pair.sign(BODY));

        filter(SignatureCheck.of(pair)).doFilter(tooLong, new MockHttpServletResponse(), new MockFilterChain());

        assertThat(reasons).containsExactly("body-too-large");
    }

    @Test
    void responseWhenCommittedThenNotWrittenOver() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.setCommitted(true);
        MockFilterChain chain = new MockFilterChain();

        filter(SignatureCheck.of(verifier().build())).doFilter(broken(), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @Test
    void requestWhenAuthorizationFailsThenNotAccepted() throws Exception {
        SignatureCheck check = SignatureCheck.of(verifier().build());
        WebhookSignatureFilter filter = new WebhookSignatureFilter(
                List.of(new InboundWebhook("partner", List.of("/hook"), Set.of("POST"), check, 100, true, null, null)),
                request -> {
                    throw new IllegalStateException("secret detail of the chain");
                },
                new FormLimits(1000, null));
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();

        filter.doFilter(new MockHttpServletRequest("GET", "/hook"), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertInternal(response);
    }

    @Test
    void requestWhenPathIsThatOfTwoSendersThenRefused() throws Exception {
        SignatureCheck check = SignatureCheck.of(verifier().build());
        WebhookSignatureFilter filter = new WebhookSignatureFilter(
                List.of(
                        new InboundWebhook("a", List.of("/{name}"), Set.of("POST"), check, 100, true, null, null),
                        new InboundWebhook("b", List.of("/hook"), Set.of("PUT"), check, 100, true, null, null)),
                request -> true,
                new FormLimits(1000, null));
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();

        filter.doFilter(signed(), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContentAsString()).contains("\"webhook/ambiguous-path\"");
    }

    private static MockHttpServletResponse answer(SignatureCheck check) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        filter(check).doFilter(signed(), response, chain);
        assertThat(chain.getRequest()).as("what came through").isNull();
        return response;
    }

    /** One runs, and so many may wait, but not for long. */
    private static VerificationTurns busy(int waiting) {
        VerificationTurns turns = new VerificationTurns(1, waiting, Duration.ZERO);
        turns.acquire();
        return turns;
    }

    private static MockHttpServletRequest signed() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(BODY);
        sign(request);
        return request;
    }

    /** One whose sender goes away in the middle. */
    private static MockHttpServletRequest broken() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook") {
            @Override
            public ServletInputStream getInputStream() {
                return new DelegatingServletInputStream(new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("secret detail of the connection");
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) throws IOException {
                        return read();
                    }
                });
            }
        };
        sign(request);
        return request;
    }

    private static void sign(MockHttpServletRequest request) {
        WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", WebhookHost.SECRET)
                .build()
                .headers(BODY)
                .forEach(request::addHeader);
    }

    private static WebhookSignatureFilter filter(SignatureCheck check) {
        return new WebhookSignatureFilter(
                List.of(new InboundWebhook("partner", List.of("/hook"), Set.of("POST"), check, 100, true, null, null)),
                request -> false,
                new FormLimits(1000, null));
    }

    private static WebhookVerifier.Builder verifier() {
        return WebhookVerifier.builder().algorithm("hmac-sha3-512").key("v1", WebhookHost.SECRET);
    }

    private static void assertInternal(MockHttpServletResponse answer) throws Exception {
        assertThat(answer.getStatus()).isEqualTo(500);
        assertThat(answer.getContentType()).isEqualTo("application/problem+json");
        assertThat(answer.getContentAsString())
                .contains("\"code\":\"webhook/internal\"")
                .doesNotContain("secret detail");
    }
}
