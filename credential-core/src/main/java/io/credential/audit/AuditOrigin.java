package io.credential.audit;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditText;

/**
 * Where the request of an audit event came from. All values are as the web server reports them, and may be chosen by
 * the caller. Secrets of tokens are masked, control characters and unpaired surrogates are replaced by
 * {@code U+FFFD}, and longer values are cut.
 *
 * @param clientAddress the network address of the client, at most 64 characters; null if unknown
 * @param userAgent the header {@code User-Agent}, at most 256 characters; null if absent
 * @param traceId the id of the distributed trace, at most 64 characters; null if there is none
 * @since 0.1.0
 */
public record AuditOrigin(
        @Nullable String clientAddress,
        @Nullable String userAgent,
        @Nullable String traceId) {

    /** No request, or nothing is known of it. */
    public static final AuditOrigin UNKNOWN = new AuditOrigin(null, null, null);

    private static final int MAX_ADDRESS = 64;
    private static final int MAX_USER_AGENT = 256;
    private static final int MAX_TRACE_ID = 64;

    public AuditOrigin {
        clientAddress = AuditText.bounded(clientAddress, MAX_ADDRESS);
        userAgent = AuditText.bounded(userAgent, MAX_USER_AGENT);
        traceId = AuditText.bounded(traceId, MAX_TRACE_ID);
    }
}
