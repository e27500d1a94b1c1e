package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.apikey.internal.SecretMatcher.Slot;
import io.credential.apikey.internal.cache.InvalidatedCache;
import io.credential.seal.internal.SealException;

/**
 * Judges tokens. Reads at most one row. Whether or not it exists, the same fast hashes, comparisons and MAC are computed
 * before anything else is checked, so that a caller with a wrong secret learns nothing about the key. A costly hash is
 * computed only for a key that is not revoked, disabled or expired. Thread-safe.
 */
final class TokenJudge {

    private final ApiKeyRegistryOptions options;
    private final KeyRowCache cache;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final SecretMatcher secrets;
    private final SecretRehasher rehasher;
    private final InstantSource clock;

    TokenJudge(
            ApiKeyRegistryOptions options,
            KeyRowCache cache,
            JdbcApiKeyStore store,
            RowProtection protection,
            SecretMatcher secrets,
            SecretRehasher rehasher,
            InstantSource clock) {
        this.options = options;
        this.cache = cache;
        this.store = store;
        this.protection = protection;
        this.secrets = secrets;
        this.rehasher = rehasher;
        this.clock = clock;
    }

    Verdict judge(@Nullable String text) {
        ApiKeyToken token =
                ApiKeyToken.parse(text).filter(TokenForm::isLowerCase).orElse(null);
        if (token == null) {
            return new Rejected("malformed", null);
        }
        if (!token.namespace().equals(options.namespace()) || !token.prefix().equals(options.prefix())) {
            return new Rejected("foreign-namespace", null);
        }
        if (!TokenForm.canBeIssued(token)) {
            return new Rejected("malformed", null);
        }
        return TokenForm.hashInput(token).useAndClose(input -> compareCached(token.idHex(), input));
    }

    /** A cached row can only accept a key: what it would reject is read, since another node may have changed it. */
    private Verdict compareCached(String id, byte[] input) {
        KeyRowCache.Opened cached = cache.cached(options.namespace(), id);
        if (cached == null) {
            return compareStored(id, input, null);
        }
        Slot slot = secrets.slot(cached.row(), input, true);
        if (slot == Slot.NONE) {
            return compareStored(id, input, cached.row().secrets());
        }
        Instant now = clock.instant();
        return refusal(cached.row(), slot, now) == null
                ? new Accepted(cached.row(), slot, cached.contents(), now)
                : compareStored(id, input, null);
    }

    /**
     * @param mismatched hashes that the secret does not match, which are not compared again, so that a wrong secret takes as
     *     long whether or not the row is cached
     */
    private Verdict compareStored(String id, byte[] input, @Nullable Secrets mismatched) {
        InvalidatedCache.Load load = cache.beginRead(options.namespace(), id);
        Optional<ApiKeyRow> found = store.find(id);
        ApiKeyRow row = found.orElse(secrets.decoy());
        String refusal = refusal(row, Slot.PRIMARY, clock.instant());
        Slot slot = Objects.equals(row.secrets(), mismatched) ? Slot.NONE : secrets.slot(row, input, refusal == null);
        // Asked only for a caller who has the secret: the time taken tells others nothing about the key.
        KeyContents opened = slot == Slot.NONE ? null : cache.opened(row);
        Authenticity authenticity = opened == null ? protection.authenticity(row) : Authenticity.AUTHENTIC;
        if (found.isEmpty()) {
            return new Rejected("unknown", null);
        }
        if (authenticity == Authenticity.FORGED) {
            return new Rejected("integrity", id);
        }
        if (slot == Slot.NONE) {
            return new Rejected("bad-secret", id);
        }
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(id);
        }
        Instant now = clock.instant();
        String reason = refusal == null ? refusal(row, slot, now) : refusal;
        if (reason != null) {
            return new Rejected(reason, id);
        }
        KeyContents contents = opened == null ? open(row) : opened;
        if (contents == null) {
            return new Rejected("integrity", id);
        }
        rehasher.offer(row, slot, input); // not a cached row, since the rehash writes all of it
        cache.keepCached(load, options.trackLastUsed() ? row.withLastUsedAt(now.toEpochMilli()) : row, contents);
        return new Accepted(row, slot, contents, now);
    }

    /** Returns the contents of an authentic row; null if a cell does not open. */
    private @Nullable KeyContents open(ApiKeyRow row) {
        try {
            KeyContents contents = protection.contents(row);
            cache.keepOpened(row, contents);
            return contents;
        } catch (SealException e) {
            return null;
        }
    }

    /** Returns why a key is rejected even with the right secret; null if it is not. */
    private @Nullable String refusal(ApiKeyRow row, Slot slot, Instant now) {
        if (!row.hasPrefix(options.prefix())) {
            return "foreign-namespace"; // the secret does not depend on the prefix, which may have changed since
        }
        if (row.isRevoked()) {
            return "revoked";
        }
        if (row.isDisabled()) {
            return "disabled";
        }
        if (row.isExpiredAt(now.toEpochMilli())) {
            return "expired";
        }
        return slot == Slot.SECONDARY && !row.acceptsSecondaryAt(now.toEpochMilli()) ? "secondary-expired" : null;
    }

    sealed interface Verdict {}

    /**
     * @param row as it is stored or cached
     * @param slot of the secret, not {@link Slot#NONE}
     */
    record Accepted(ApiKeyRow row, Slot slot, KeyContents contents, Instant now) implements Verdict {}

    /** @param keyId the key, if there is one */
    record Rejected(String reason, @Nullable String keyId) implements Verdict {}
}
