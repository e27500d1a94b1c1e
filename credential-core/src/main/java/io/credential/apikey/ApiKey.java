package io.credential.apikey;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a key; never its secret or a hash of it. Serializable, because it is the principal of an
 * authentication, and applications keep those in sessions and messages.
 *
 * @param id the key's id, part of its token and no secret
 * @param namespace the registry's namespace
 * @param prefix the prefix of its token
 * @param ownerId whose key it is
 * @param name what its owner calls it; null for none
 * @param scopes what it may do
 * @param metadata what was stored with it, in plain JSON types
 * @param createdAt when it was issued
 * @param createdBy who issued it, as the audit trail names the actor, up to 255 characters; null when that is not known
 * @param expiresAt when it stops verifying; null for never
 * @param disabledAt since when it is disabled; null if it is not
 * @param revokedAt when it was revoked; null if it was not
 * @param lastUsedAt when it last verified, as far as this node knows; null for never
 * @param secondaryExpiresAt until when the secret before the last graceful rotation is accepted; null when there is none
 * @param usedSecondary whether the token just verified held that earlier secret; false on a key that was not just verified
 * @since 0.1.0
 */
public record ApiKey(
        String id,
        String namespace,
        String prefix,
        String ownerId,
        @Nullable String name,
        List<String> scopes,
        Map<String, Object> metadata,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant disabledAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant secondaryExpiresAt,
        boolean usedSecondary)
        implements Serializable {

    public ApiKey {
        scopes = List.copyOf(scopes);
    }

    /** Without the values that are sealed at rest. */
    @Override
    public String toString() {
        return "ApiKey[id=" + id + ", namespace=" + namespace + "]";
    }
}
