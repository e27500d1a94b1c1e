package io.credential.apikey;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A newly issued key with its token. Show the token to the owner once, and do not store it.
 *
 * @param id the key's id, part of the token but not secret
 * @param key the full token; appears here and nowhere else
 * @param name the name of the key; null if it has none
 * @param scopes what the key may do
 * @param metadata as given, in plain JSON types
 * @param createdAt when it was issued
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
