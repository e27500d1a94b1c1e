package io.credential.apikey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a new key shall be. Immutable: every method returns a new value, and refuses a bad one at once.
 *
 * @param ownerId whose key it is; 1 to 255 characters, not blank
 * @param scopes what it may do; at most 64, each 1 to 128 visible characters; default none
 * @param metadata a JSON object of at most 4 KiB; default empty
 * @param expiresAt when it stops verifying; null, the default, for never
 * @since 0.1.0
 */
public record IssueRequest(
        String ownerId,
        List<String> scopes,
        Map<String, Object> metadata,
        @Nullable Instant expiresAt) {

    /**
     * @throws ApiKeyException {@code api-key/missing-owner}, {@code api-key/bad-scopes} or {@code api-key/bad-metadata}
     */
    public IssueRequest {
        ownerId = KeyRules.ownerId(ownerId);
        scopes = KeyRules.scopes(scopes);
        metadata = KeyRules.metadata(metadata);
    }

    /**
     * @throws ApiKeyException {@code api-key/missing-owner} when the owner is null, blank or longer than 255 characters
     */
    public static IssueRequest forOwner(@Nullable String ownerId) {
        return new IssueRequest(KeyRules.ownerId(ownerId), List.of(), Map.of(), null);
    }

    public IssueRequest scopes(String... scopes) {
        return scopes(List.of(scopes));
    }

    public IssueRequest scopes(Collection<String> scopes) {
        return new IssueRequest(ownerId, new ArrayList<>(scopes), metadata, expiresAt);
    }

    public IssueRequest metadata(Map<String, ?> metadata) {
        return new IssueRequest(ownerId, scopes, new LinkedHashMap<>(metadata), expiresAt);
    }

    public IssueRequest expiresAt(@Nullable Instant expiresAt) {
        return new IssueRequest(ownerId, scopes, metadata, expiresAt);
    }

    /** Leaves out what is sealed at rest. */
    @Override
    public String toString() {
        return "IssueRequest[scopes=" + scopes.size() + ", expiresAt=" + expiresAt + "]";
    }
}
