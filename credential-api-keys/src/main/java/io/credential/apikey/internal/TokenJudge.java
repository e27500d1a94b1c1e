package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.apikey.internal.SecretMatcher.Slot;
import io.credential.apikey.internal.cache.InvalidatedCache;
import io.credential.apikey.internal.foreign.PresentedSecret;
import io.credential.seal.internal.SealException;

/**
 * Judges tokens. Reads at most one row. Whether or not it exists, the same fast hashes, comparisons and MAC are computed
 * before anything else is checked, so that a caller with a wrong secret learns nothing about the key. A costly hash is
 * computed only for a key that is not revoked, disabled or expired. Thread-safe.
 */
final class TokenJudge {

    private final ApiKeyRegistryOptions options;
    private final TokenReader tokens;
    private final KeyRowCache cache;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final SecretMatcher secrets;
    private final InstantSource clock;

    TokenJudge(
            ApiKeyRegistryOptions options,
            TokenReader tokens,
            KeyRowCache cache,
            JdbcApiKeyStore store,
            RowProtection protection,
            SecretMatcher secrets,
            InstantSource clock) {
        this.options = options;
        this.tokens = tokens;
        this.cache = cache;
        this.store = store;
        this.protection = protection;
        this.secrets = secrets;
        this.clock = clock;
    }

    Verdict judge(@Nullable String text) {
        return tokens.read(text, this::compareCached);
    }

    /** A cached row can only accept a key: what it would reject is read, since another node may have changed it. */
    private Verdict compareCached(String id, PresentedSecret secret) {
        KeyRowCache.Opened cached = cache.cached(options.namespace(), id);
        if (cached == null) {
            return compareStored(id, secret, null);
        }
        Slot slot = secrets.slot(cached.row(), secret, true);
        if (slot == Slot.NONE) {
            return compareStored(id, secret, cached.row().secrets());
        }
        Instant now = clock.instant();
        return refusal(cached.row(), secret, slot, now) == null
                ? new Accepted(cached.row(), slot, cached.contents(), now)
                : compareStored(id, secret, null);
    }

    /**
     * @param mismatched hashes that the secret does not match, which are not compared again, so that a wrong secret takes as
     *     long whether or not the row is cached
     */
    private Verdict compareStored(String id, PresentedSecret secret, @Nullable Secrets mismatched) {
        InvalidatedCache.Load load = cache.beginRead(options.namespace(), id);
        Optional<ApiKeyRow> found = store.find(id);
        ApiKeyRow row = found.orElse(secrets.decoy());
        String refusal = refusal(row, secret, Slot.PRIMARY, clock.instant());
        Slot slot = Objects.equals(row.secrets(), mismatched) ? Slot.NONE : secrets.slot(row, secret, refusal == null);
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
        String reason = refusal == null ? refusal(row, secret, slot, now) : refusal;
        if (reason != null) {
            return new Rejected(reason, id);
        }
        KeyContents contents = opened == null ? open(row) : opened;
        if (contents == null) {
            return new Rejected("integrity", id);
        }
        secrets.rehash(row, slot, secret); // not a cached row, since the rehash writes all of it
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
    private @Nullable String refusal(ApiKeyRow row, PresentedSecret secret, Slot slot, Instant now) {
        if (secret.alone() == null && !row.hasPrefix(options.prefix())) {
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
