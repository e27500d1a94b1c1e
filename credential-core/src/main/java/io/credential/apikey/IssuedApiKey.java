package io.credential.apikey;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A key just made, with its token: show that to its owner once, and keep it nowhere.
 *
 * @param id the key's id, part of the token and no secret
 * @param key the full token; appears here and nowhere else
 * @param name what its owner calls it; null for none
 * @param scopes what the key may do
 * @param metadata as given, in plain JSON types
 * @param createdAt when it was made
 * @param expiresAt when it stops verifying; null for never
 * @since 0.1.0
 */
public record IssuedApiKey(
        String id,
        String key,
        @Nullable String name,
        List<String> scopes,
        Map<String, Object> metadata,
        Instant createdAt,
        @Nullable Instant expiresAt) {

    /** Leaves the token and the metadata out. */
    @Override
    public String toString() {
        return "IssuedApiKey[id=" + id + ", key=<redacted>]";
    }
}
