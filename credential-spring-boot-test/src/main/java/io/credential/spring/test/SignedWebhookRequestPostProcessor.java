package io.credential.spring.test;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * Signs the body of a request of MockMvc as a configured sender does. By default, it signs with the first configured
 * secret, at the time of the clock that the application verifies with, and under a new id for each request. Not
 * thread-safe.
 *
 * @since 0.1.0
 * @see CredentialRequestPostProcessors#signedWebhook(String)
 */
public final class SignedWebhookRequestPostProcessor implements RequestPostProcessor {

    private final String name;
    private @Nullable String kid;
    private @Nullable String secret;
    private @Nullable String id;
    private @Nullable Instant signedAt;

    SignedWebhookRequestPostProcessor(String name) {
        this.name = name;
    }

    /** Signs with the key of this kid; default: the first that is configured. */
    public SignedWebhookRequestPostProcessor kid(String kid) {
        this.kid = kid;
        return this;
    }

    /** Signs with this secret instead of the configured one, for example with a wrong one. */
    public SignedWebhookRequestPostProcessor secret(String secret) {
        this.secret = secret;
        return this;
    }

    /**
     * Signs under this id, for example twice the same to test replay protection. Not for {@code hmac-sha256-processor},
     * {@code stripe} and {@code slack}, whose signatures have no id.
     */
    public SignedWebhookRequestPostProcessor id(String id) {
        this.id = id;
        return this;
    }

    /** Signs at this time, for example one that is too long ago. */
    public SignedWebhookRequestPostProcessor signedAt(Instant signedAt) {
        this.signedAt = signedAt;
        return this;
    }

    /**
     * @throws IllegalArgumentException if the application configures no sender of this name, or no key of this kid
     * @throws IllegalStateException if the sender has no secret, as with {@code pqc-pem}, or a scheme of the application
     */
    @Override
    public MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
        WebApplicationContextUtils.getRequiredWebApplicationContext(Objects.requireNonNull(request.getServletContext()))
                .getAutowireCapableBeanFactory()
                .createBean(ConfiguredSenders.class)
                .headers(name, kid, secret, id, signedAt, body(request))
                .forEach(request::addHeader);
        return request;
    }

    /** Returns the bytes that the filter will read. */
    static byte[] body(MockHttpServletRequest request) {
        byte[] content = request.getContentAsByteArray();
        return content == null ? new byte[0] : content;
    }
}
