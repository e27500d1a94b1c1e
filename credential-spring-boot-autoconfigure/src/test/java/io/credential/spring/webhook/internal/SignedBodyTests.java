package io.credential.spring.webhook.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.ServletInputStream;

import io.credential.audit.AuditEvent;
import io.credential.secret.SecretBytes;
import io.credential.testing.MutableClock;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookScheme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** When a body is decompressed, and what is reported if that fails. */
class SignedBodyTests {

    private static final byte[] CONTENT = "content".getBytes(UTF_8);
    private static final byte[] GZIP = GzipBodyTests.gzip(CONTENT);

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> events = new ArrayList<>();

    @Test
    void bodyWhenGzipIsSignedThenDecodedAfterwards() throws Exception {
        assertThat(content(new Begins(true, 0x1F), GZIP)).isEqualTo(CONTENT);
    }

    @Test
    void bodyWhenContentIsSignedThenDecodedBefore() throws Exception {
        assertThat(content(new Begins(false, 'c'), GZIP)).isEqualTo(CONTENT);
    }

    /** It was verified, so its nonce would make the next attempt a replay. */
    @Test
    void bodyWhenVerifiedButMalformedThenAcceptedAgain() throws Exception {
        WebhookSignatureFilter filter = filter(new Begins(true, 0x1F));
        byte[] truncated = Arrays.copyOf(GZIP, GZIP.length - 1);
        for (int attempt = 0; attempt < 2; attempt++) {
            MockHttpServletRequest request = request(truncated, "gzip");
            MockFilterChain chain = new MockFilterChain();
            MockHttpServletResponse response = new MockHttpServletResponse();

            filter.doFilter(request, response, chain);

            assertThat(response.getStatus()).as("attempt %d", attempt).isEqualTo(400);
            assertThat(response.getContentAsString()).contains("not valid gzip");
            assertThat(chain.getRequest()).isNull();
            assertThat(VerifiedRequest.isVerified(request)).isFalse();
        }
    }

    @Test
    void bodyWhenDeclaredTooLongThenNotRead() throws Exception {
        MockHttpServletRequest declared = new MockHttpServletRequest("POST", "/hook") {
            @Override
            public ServletInputStream getInputStream() {
                throw new AssertionError("The body was read");
            }
        };
        declared.setContent(new byte[101]);

        assertThat(send(new Begins(true, 0), declared).getStatus()).isEqualTo(413);
    }

    @Test
    void bodyWhenMalformedThenAuditedAsUnreadable() throws Exception {
        send(new Begins(false, 'c'), request(CONTENT, "gzip"));

        assertThat(events).extracting(AuditEvent::reason).containsExactly("unreadable-body");
    }

    @Test
    void bodyWhenContentIsTooLongThenAudited() throws Exception {
        send(new Begins(false, 'c'), request(GzipBodyTests.gzip(new byte[101]), "gzip"));

        assertThat(events).extracting(AuditEvent::reason).containsExactly("body-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip, gzip"})
    void bodyWhenEncodedOtherwiseThenAuditedAsUnsupported(String encoding) throws Exception {
        assertThat(send(new Begins(true, 0x1F), request(GZIP, encoding)).getStatus())
                .isEqualTo(415);

        assertThat(events).extracting(AuditEvent::reason).containsExactly("unsupported-media-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "identity", " Identity "})
    void bodyWhenNotEncodedThenUnchanged(String encoding) throws Exception {
        MockHttpServletRequest request = request(CONTENT, encoding);
        MockFilterChain chain = new MockFilterChain();

        filter(new Begins(true, 'c')).doFilter(request, new MockHttpServletResponse(), chain);

        assertThat(((BufferedBodyRequest) Objects.requireNonNull(chain.getRequest())).getRequest())
                .isSameAs(request);
    }

    private byte[] content(WebhookScheme scheme, byte[] body) throws Exception {
        MockFilterChain chain = new MockFilterChain();
        filter(scheme).doFilter(request(body, "x-gzip"), new MockHttpServletResponse(), chain);
        return Objects.requireNonNull(chain.getRequest()).getInputStream().readAllBytes();
    }

    private MockHttpServletResponse send(WebhookScheme scheme, MockHttpServletRequest request) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        filter(scheme).doFilter(request, response, new MockFilterChain());
        return response;
    }

    private WebhookSignatureFilter filter(WebhookScheme scheme) {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .scheme(scheme)
                .key("v1", "a secret of the tests")
                .clock(clock)
                .nonceStore(new InMemoryNonceStore(clock))
                .audit(events::add)
                .build();
        return new WebhookSignatureFilter(
                List.of(new InboundWebhook(
                        "sender",
                        List.of("/hook"),
                        Set.of("POST"),
                        SignatureCheck.of(verifier),
                        100,
                        verifier.isEncodedBodySigned(),
                        null,
                        null)),
                unsigned -> false,
                new FormLimits(10, null));
    }

    private static MockHttpServletRequest request(byte[] body, String encoding) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.setContent(body);
        request.addHeader("Content-Encoding", encoding);
        return request;
    }

    /** Accepts every body that begins with this byte. */
    private record Begins(boolean isEncodedBodySigned, int first) implements WebhookScheme {

        @Override
        public String name() {
            return "begins";
        }

        @Override
        public Verifier verifier(Map<String, SecretBytes> keys) {
            return head -> Presented.of(new WebhookClaims(null, null, null, Set.of()), body -> {
                if (body[0] != first) {
                    throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The first byte is another");
                }
                return new Match("v1", "none");
            });
        }
    }
}
