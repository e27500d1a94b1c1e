package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.ApiKeyRow.State;
import io.credential.apikey.internal.KeyLedger.NewKey;
import io.credential.apikey.internal.Operations.Result;
import io.credential.audit.AuditEvent;

/** Issues keys, and creates and hashes tokens for rotation. */
final class KeyIssuer {

    private static final int MAX_ATTEMPTS = 3;
    private static final long FIRST_VERSION = 1;

    private final TokenGenerator tokens;
    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final RememberedHashes hasher;
    private final Supplier<@Nullable String> actor;
    private final InstantSource clock;

    KeyIssuer(
            TokenGenerator tokens,
            Operations operations,
            JdbcApiKeyStore store,
            RowProtection protection,
            RememberedHashes hasher,
            Supplier<@Nullable String> actor,
            InstantSource clock) {
        this.tokens = tokens;
        this.operations = operations;
        this.store = store;
        this.protection = protection;
        this.hasher = hasher;
        this.actor = actor;
        this.clock = clock;
    }

    IssuedApiKey issue(IssueRequest request) {
        return operations.audited("apikey.issue", () -> {
            KeyRules.requireKnown(request.scopes(), tokens.options());
            Instant now = Instant.ofEpochMilli(clock.millis());
            Instant expiresAt = futureMillis(request.expiresAt(), now);
            KeyRules.requirePermitted(expiresAt, now, tokens.options());
            KeyContents contents = KeyContents.of(request, KeyRules.creator(actor.get()));
            for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
                ApiKeyToken token = tokens.next();
                ApiKeyRow row = newRow(token, hash(token), contents, now, expiresAt);
                if (operations.inGuardedTransaction(() -> store.insert(new NewKey(row, contents)))) {
                    IssuedApiKey issued = new IssuedApiKey(
                            token.idHex(),
                            TokenForm.text(token),
                            request.name(),
                            request.scopes(),
                            request.metadata(),
                            now,
                            expiresAt);
                    return new Result<>(issued, token.idHex(), facts(request, expiresAt));
                }
            }
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE,
                    "No free id was found in " + MAX_ATTEMPTS + " attempts; raise idBytes of registry "
                            + store.namespace());
        });
    }

    /** Returns the audit attributes; for the name, only whether there is one. */
    private Map<String, Object> facts(IssueRequest request, @Nullable Instant expiresAt) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("namespace", store.namespace());
        facts.put("scopesAdded", request.scopes());
        facts.put("expiresAt", KeyContents.expiryText(expiresAt));
        facts.put("named", request.name() != null);
        facts.put(AuditEvent.VERSION, FIRST_VERSION);
        if (request.rateLimit() != null) {
            facts.put("rateLimit", KeyContents.rateLimitText(request.rateLimit()));
        }
        if (request.quota() != null) {
            facts.put("quota", KeyContents.quotaText(request.quota()));
        }
        if (!request.allowedNetworks().isEmpty()) {
            facts.put("networksAdded", request.allowedNetworks());
        }
        return facts;
    }

    /** Returns an authentic row that no token matches. */
    ApiKeyRow decoy() {
        ApiKeyToken nobody = tokens.next();
        KeyContents contents = KeyContents.of(IssueRequest.forOwner("nobody"), null);
        String hash = TokenForm.hashInput(nobody).useAndClose(hasher::decoy);
        return newRow(nobody, hash, contents, clock.instant(), null);
    }

    /** Returns a token with a new secret for an id. */
    ApiKeyToken newToken(String id) {
        return tokens.next(id);
    }

    String hash(ApiKeyToken token) {
        return TokenForm.hashInput(token).useAndClose(hasher::hash);
    }

    private ApiKeyRow newRow(
            ApiKeyToken token, String hash, KeyContents contents, Instant now, @Nullable Instant expiresAt) {
        Identity key = new Identity(token.namespace(), token.idHex(), token.prefix(), now.toEpochMilli());
        String ownerIdHash = protection.ownerIdHash(token.namespace(), contents.ownerId());
        return protection.authenticated(new ApiKeyRow(
                key,
                protection.seal(key, ownerIdHash, contents),
                new Secrets(hash, null, null),
                new State(expiresAt == null ? null : expiresAt.toEpochMilli(), null, null, FIRST_VERSION),
                null,
                null));
    }

    /** Returns an expiry as it is stored, to the millisecond. */
    static @Nullable Instant futureMillis(@Nullable Instant expiresAt, Instant now) {
        if (expiresAt == null) {
            return null;
        }
        try {
            Instant stored = Instant.ofEpochMilli(expiresAt.toEpochMilli());
            if (stored.isAfter(now)) {
                return stored;
            }
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "expiresAt must be in the future, but is " + expiresAt);
        } catch (ArithmeticException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "expiresAt is out of the range of Unix milliseconds: " + expiresAt, e);
        }
    }
}
