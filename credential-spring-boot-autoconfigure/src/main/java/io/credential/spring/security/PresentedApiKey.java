package io.credential.spring.security;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

import io.credential.apikey.ApiKeyToken;

/** A token or ticket that a request presented, and that is not yet verified. Forgets it when it is erased. */
final class PresentedApiKey extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final boolean isTicket;
    private transient @Nullable String token;
    private transient @Nullable String claimedId;

    PresentedApiKey(String token, Object details) {
        this(details, token, false);
    }

    private PresentedApiKey(Object details, @Nullable String token, boolean isTicket) {
        super(List.of());
        this.isTicket = isTicket;
        this.token = token;
        setDetails(details);
    }

    /** Represents credentials that were rejected before a token was read. */
    static PresentedApiKey withoutToken(Object details) {
        return new PresentedApiKey(details, null, false);
    }

    /** Represents a ticket that stands for a key. */
    static PresentedApiKey ofTicket(String ticket, Object details) {
        return new PresentedApiKey(details, ticket, true);
    }

    /** Returns whether the credential is a ticket in place of a token. */
    boolean isTicket() {
        return isTicket;
    }

    @Override
    public @Nullable Object getCredentials() {
        return token;
    }

    /** Keeps the id of the token, if it has the format of a key, after it is erased. A ticket has that format too. */
    void keepClaimedId() {
        claimedId = token == null
                ? null
                : ApiKeyToken.parse(token).map(ApiKeyToken::idHex).orElse(null);
    }

    /**
     * Returns which key the token claims to be, unverified; null if the token has not the format of a key, or is erased.
     */
    @Nullable String claimedKey() {
        return ApiKeyToken.parse(token)
                .map(parsed -> ApiKeyRateLimits.name(parsed.namespace(), parsed.idHex()))
                .orElse(null);
    }

    /** Returns the unverified id that was kept, or null. */
    @Nullable String claimedId() {
        return claimedId;
    }

    /** Does not show unverified data of the caller. */
    @Override
    public Object getPrincipal() {
        return "api-key";
    }

    @Override
    public void eraseCredentials() {
        super.eraseCredentials();
        token = null;
    }
}
