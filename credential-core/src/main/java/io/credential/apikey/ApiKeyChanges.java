package io.credential.apikey;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Changes to a key other than its secret. Values that are not set stay unchanged. Immutable: every method returns a new value.
 *
 * @param rename the new name; null to keep the current one
 * @param scopes the new scopes; null to leave them
 * @param metadata the new metadata; null to keep the current one
 * @param expiry the new expiry; null to keep the current one
 * @since 0.1.0
 */
public record ApiKeyChanges(
        @Nullable Rename rename,
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

    /** Returns no changes, to which others are added: {@code ApiKeyChanges.none().scopes("read:orders")}. */
    public static ApiKeyChanges none() {
        return new ApiKeyChanges(null, null, null, null);
    }

    /**
     * Renames the key.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when the name is null, blank, longer than 128 characters, or has
     *     control characters
     */
    public ApiKeyChanges name(String name) {
        return new ApiKeyChanges(new Rename(KeyRules.required(name, "name")), scopes, metadata, expiry);
    }

    /** Removes the name of the key. */
    public ApiKeyChanges withoutName() {
        return new ApiKeyChanges(new Rename(null), scopes, metadata, expiry);
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public ApiKeyChanges scopes(String... scopes) {
        return scopes(KeyRules.scopes(scopes));
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public ApiKeyChanges scopes(Collection<String> scopes) {
        return new ApiKeyChanges(rename, KeyRules.scopes(scopes), metadata, expiry);
    }

    /**
     * Replaces the metadata.
     *
     * @throws ApiKeyException {@code api-key/bad-metadata}
     */
    public ApiKeyChanges metadata(Map<String, ?> metadata) {
        return new ApiKeyChanges(rename, scopes, KeyRules.metadata(metadata), expiry);
    }

    /**
     * Sets when the key stops verifying.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null; to remove the expiry, use {@link
     *     #neverExpires()}
     */
    public ApiKeyChanges expiresAt(Instant expiresAt) {
        return new ApiKeyChanges(rename, scopes, metadata, new Expiry(KeyRules.required(expiresAt, "expiresAt")));
    }

    /** Removes the expiry. */
    public ApiKeyChanges neverExpires() {
        return new ApiKeyChanges(rename, scopes, metadata, new Expiry(null));
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "ApiKeyChanges[rename=" + (rename != null) + ", scopes=" + (scopes != null) + ", metadata="
                + (metadata != null) + ", expiry=" + expiry + "]";
    }

    /**
     * A new name.
     *
     * @param to the name; null for none
     */
    public record Rename(@Nullable String to) {

        /**
         * @throws ApiKeyException {@code api-key/bad-opt}
         */
        public Rename {
            to = to == null ? null : KeyRules.name(to);
        }

        /** Leaves out the values that are sealed at rest. */
        @Override
        public String toString() {
            return "Rename[]";
        }
    }

    /**
     * A new expiry.
     *
     * @param at when the key stops verifying; null for never
     */
    public record Expiry(@Nullable Instant at) {}
}
