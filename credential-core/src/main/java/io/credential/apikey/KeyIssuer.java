package io.credential.apikey;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRow.Identity;
import io.credential.apikey.ApiKeyRow.Secrets;
import io.credential.apikey.ApiKeyRow.State;
import io.credential.apikey.Operations.Result;

/** Makes keys. */
final class KeyIssuer {

    private static final int MAX_ATTEMPTS = 3;

    private final RegistryParts parts;
    private final Operations operations;

    KeyIssuer(RegistryParts parts, Operations operations) {
        this.parts = parts;
        this.operations = operations;
    }

    IssuedApiKey issue(IssueRequest request) {
        return operations.audited("apikey.issue", () -> {
            Instant now = Instant.ofEpochMilli(parts.clock().millis());
            Instant expiresAt = futureMillis(request.expiresAt(), now);
            KeyContents contents =
                    KeyContents.of(request, KeyRules.creator(parts.actor().get()));
            for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
                ApiKeyToken token = newToken(parts.random().next(parts.options().idBytes()));
                ApiKeyRow row = newRow(token, contents, now, expiresAt);
                if (operations.inGuardedTransaction(() -> parts.store().insert(row))) {
                    IssuedApiKey issued = new IssuedApiKey(
                            token.idHex(),
                            token.text(),
                            request.name(),
                            request.scopes(),
                            request.metadata(),
                            now,
                            expiresAt);
                    return new Result<>(
                            issued, token.idHex(), ChangeFacts.ofIssue(parts.namespace(), request, expiresAt));
                }
            }
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE,
                    "No free id was found in " + MAX_ATTEMPTS + " attempts; raise idBytes of registry "
                            + parts.namespace());
        });
    }

    /** An authentic row that no token matches. */
    ApiKeyRow decoy() {
        ApiKeyToken nobody = newToken(parts.random().next(parts.options().idBytes()));
        KeyContents contents = KeyContents.of(IssueRequest.forOwner("nobody"), null);
        return newRow(nobody, contents, parts.clock().instant(), null);
    }

    /** A token with a new secret under an id. */
    ApiKeyToken newToken(String id) {
        return new ApiKeyToken(
                parts.options().prefix(),
                parts.namespace(),
                id,
                parts.random().next(parts.options().secretBytes()));
    }

    String hash(ApiKeyToken token) {
        return parts.hasher().hash(token.hashInput());
    }

    private ApiKeyRow newRow(ApiKeyToken token, KeyContents contents, Instant now, @Nullable Instant expiresAt) {
        RowProtection protection = parts.protection();
        Identity key = new Identity(token.namespace(), token.idHex(), token.prefix(), now.toEpochMilli());
        String ownerIdHash = protection.ownerIdHash(token.namespace(), contents.ownerId());
        return protection.authenticated(new ApiKeyRow(
                key,
                protection.seal(key, ownerIdHash, contents),
                new Secrets(hash(token), null, null),
                new State(expiresAt == null ? null : expiresAt.toEpochMilli(), null, null),
                null,
                null));
    }

    /** An expiry as it is stored, to the millisecond. */
    static @Nullable Instant futureMillis(@Nullable Instant expiresAt, Instant now) {
        if (expiresAt == null) {
            return null;
        }
        Instant stored = storable(expiresAt);
        if (!stored.isAfter(now)) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "expiresAt must be in the future, but is " + expiresAt);
        }
        return stored;
    }

    private static Instant storable(Instant expiresAt) {
        try {
            return Instant.ofEpochMilli(expiresAt.toEpochMilli());
        } catch (ArithmeticException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "expiresAt must be a time in Unix milliseconds, but is " + expiresAt, e);
        }
    }
}
