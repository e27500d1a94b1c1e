package io.credential.spring.webhook;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.Transient;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * The authentication of a request by its webhook signature. The principal is the {@link
 * io.credential.webhook.signature.VerifiedWebhook} or {@link io.credential.webhook.signature.ProcessorVerification},
 * the name is the configured one of the sender, and the only authority is {@code WEBHOOK_<name>}. There are no
 * credentials. Never stored in an HTTP session.
 *
 * @since 0.1.0
 */
@Transient
public final class VerifiedWebhookAuthentication extends AbstractAuthenticationToken {

    /** The prefix of the authority of a sender. */
    public static final String AUTHORITY_PREFIX = "WEBHOOK_";

    private static final long serialVersionUID = 1L;

    private final String sender;
    private final Object verified;

    /** Creates an authentication of this sender by a verified webhook. */
    public VerifiedWebhookAuthentication(String sender, Object verified) {
        super(List.of(new SimpleGrantedAuthority(AUTHORITY_PREFIX + sender)));
        this.sender = sender;
        this.verified = verified;
        setAuthenticated(true);
    }

    @Override
    public Object getPrincipal() {
        return verified;
    }

    @Override
    public String getName() {
        return sender;
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VerifiedWebhookAuthentication && super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
