package io.credential.spring.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.ServletInputStream;

import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** When it cannot be told whether a signature is good, nothing is accepted. */
class WebhookFailureTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);

    @Test
    void aNonceStoreThatFailsIsNoAcceptance() throws Exception {
        NonceStore failing = (nonce, expireAt) -> {
            throw new IllegalStateException("secret detail of the store");
        };

        MockHttpServletResponse answer =
                answer(SignatureCheck.of(verifier().nonceStore(failing).build()));

        assertInternal(answer);
    }

    @Test
    void aVerificationThatGetsNoTurnIsNoAcceptance() throws Exception {
        MockHttpServletResponse answer = answer(
                new BoundedSignatureCheck(SignatureCheck.of(verifier().build()), new Semaphore(0), Duration.ZERO));

        assertInternal(answer);
    }

    @Test
    void aVerificationGivesItsTurnBack() throws Exception {
        Semaphore one = new Semaphore(1);
        SignatureCheck check = new BoundedSignatureCheck(
                request -> body -> {
                    assertThat(one.availablePermits()).isZero();
                    throw new IllegalStateException("fails");
                },
                one,
                Duration.ZERO);

        assertInternal(answer(check));
        assertThat(one.availablePermits()).isEqualTo(1);
    }

    @Test
    void theBodyIsNotReadWhenTheHeaderIsWrong() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(BODY);
        MockHttpServletResponse response = new MockHttpServletResponse();

        filter(SignatureCheck.of(verifier().build())).doFilter(request, response, new MockFilterChain());

        assertThat(response.getStatus()).isEqualTo(401);
        assertThat(request.getInputStream().available()).isEqualTo(BODY.length);
    }

    @Test
    void aBodyThatCannotBeReadIsNoAcceptance() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();

        filter(SignatureCheck.of(verifier().build())).doFilter(broken(), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertInternal(response);
    }

    @Test
    void anAnswerThatHasBegunIsNotWrittenOver() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.setCommitted(true);
        MockFilterChain chain = new MockFilterChain();

        filter(SignatureCheck.of(verifier().build())).doFilter(broken(), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @Test
    void aPathThatCannotBeReadIsNoAcceptance() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();

        filter(SignatureCheck.of(verifier().build()))
                .doFilter(new MockHttpServletRequest("POST", "/hook/%zz"), response, chain);

        assertThat(chain.getRequest()).isNull();
        assertInternal(response);
    }

    @Test
    void onePathForTwoSendersIsRefused() {
        SignatureCheck check = SignatureCheck.of(verifier().build());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WebhookSignatureFilter(List.of(
                        new InboundWebhook("a", List.of("/hook"), check, 1),
                        new InboundWebhook("b", List.of("/hook"), check, 1))))
                .withMessageContaining("'/hook' is configured twice, for 'a' and 'b'");
    }

    private static MockHttpServletResponse answer(SignatureCheck check) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(BODY);
        sign(request);
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        filter(check).doFilter(request, response, chain);
        assertThat(chain.getRequest()).as("what came through").isNull();
        return response;
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
        return new WebhookSignatureFilter(List.of(new InboundWebhook("partner", List.of("/hook"), check, 100)));
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
