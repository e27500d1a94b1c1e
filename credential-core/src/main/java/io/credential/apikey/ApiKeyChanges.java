package io.credential.apikey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Changes to a key other than its secret; what is not named stays as it is. Immutable: every method returns a new value.
 *
 * @param scopes the new scopes; null to leave them
 * @param metadata the new metadata; null to leave it
 * @param expiry the new expiry; null to leave it
 * @since 0.1.0
 */
public record ApiKeyChanges(
        @Nullable List<String> scopes,
        @Nullable Map<String, Object> metadata,
        @Nullable Expiry expiry) {

    /**
     * @throws ApiKeyException {@code api-key/bad-scopes} or {@code api-key/bad-metadata}
     */
    public ApiKeyChanges {
        scopes = scopes == null ? null : KeyRules.scopes(scopes);
        metadata = metadata == null ? null : KeyRules.metadata(metadata);
    }

    /** No change: the start of {@code ApiKeyChanges.none().scopes("read:orders")}. */
    public static ApiKeyChanges none() {
        return new ApiKeyChanges(null, null, null);
    }

    public ApiKeyChanges scopes(String... scopes) {
        return scopes(List.of(scopes));
    }

    public ApiKeyChanges scopes(Collection<String> scopes) {
        return new ApiKeyChanges(new ArrayList<>(scopes), metadata, expiry);
    }

    public ApiKeyChanges metadata(Map<String, ?> metadata) {
        return new ApiKeyChanges(scopes, new LinkedHashMap<>(metadata), expiry);
    }

    public ApiKeyChanges expiresAt(Instant expiresAt) {
        return new ApiKeyChanges(scopes, metadata, new Expiry(expiresAt));
    }

    public ApiKeyChanges neverExpires() {
        return new ApiKeyChanges(scopes, metadata, new Expiry(null));
    }

    /** Leaves out what is sealed at rest. */
    @Override
    public String toString() {
        return "ApiKeyChanges[scopes=" + (scopes != null) + ", metadata=" + (metadata != null) + ", expiry=" + expiry
                + "]";
    }

    /**
     * A new expiry.
     *
     * @param at when the key stops verifying; null for never
     */
    public record Expiry(@Nullable Instant at) {}
}
