package io.credential.apikey;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.apikey.RowProtection.Authenticity;
import io.credential.audit.AuditTrail;
import io.credential.observation.ApiKeyVerifyObservationContext;
import io.credential.observation.ApiKeyVerifyObservationConvention;
import io.credential.observation.CredentialObservation;
import io.credential.observation.GuardedObservation;
import io.credential.seal.SealException;

/**
 * Verifies tokens. Reads one row. Whether or not it exists, the same fast hashes, comparisons and MAC are computed
 * before anything else is checked, so that a caller with a wrong secret learns nothing about the key. A costly hash is
 * computed only for a key that is not revoked, disabled or expired.
 */
final class ApiKeyVerifier {

    static final String OPERATION = "apikey.verify";

    private static final ApiKeyVerifyObservationConvention OBSERVATION_CONVENTION =
            new ApiKeyVerifyObservationConvention();

    private final ApiKeyRegistryOptions options;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final SecretMatcher secrets;
    private final SecretRehasher rehasher;
    private final LastUses lastUses;
    private final AuditTrail audit;
    private final InstantSource clock;
    private final ObservationRegistry observations;
    private final Consumer<ApiKey> oldSecretUses;

    /**
     * @param oldSecretUses is given each key that is accepted with its old secret
     */
    ApiKeyVerifier(
            ApiKeyRegistryOptions options,
            JdbcApiKeyStore store,
            RowProtection protection,
            SecretMatcher secrets,
            SecretRehasher rehasher,
            LastUses lastUses,
            AuditTrail audit,
            InstantSource clock,
            ObservationRegistry observations,
            Consumer<ApiKey> oldSecretUses) {
        this.options = options;
        this.store = store;
        this.protection = protection;
        this.secrets = secrets;
        this.rehasher = rehasher;
        this.lastUses = lastUses;
        this.audit = audit;
        this.clock = clock;
        this.observations = observations;
        this.oldSecretUses = oldSecretUses;
    }

    Optional<ApiKey> verify(@Nullable String text) {
        return observations.isNoop() ? decide(text).accepted() : observe(text);
    }

    private Optional<ApiKey> observe(@Nullable String text) {
        return GuardedObservation.startInScope(
                        CredentialObservation.API_KEY_VERIFY,
                        OBSERVATION_CONVENTION,
                        new ApiKeyVerifyObservationContext(options.namespace()),
                        observations)
                .run(
                        context -> {
                            Verdict verdict = decide(text);
                            String reason = verdict.reason();
                            if (reason == null) {
                                context.accepted();
                            } else {
                                context.rejected(reason);
                            }
                            return verdict.accepted();
                        },
                        (observation, failure) -> {
                            String reason = failure instanceof ApiKeyException ? "unavailable" : "unexpected";
                            observation.context().failed(reason);
                            observation.error(failure);
                        });
    }

    /** Observes the rejection of a token that belongs to no registry. */
    static void observeUnrouted(ObservationRegistry observations, String reason) {
        if (observations.isNoop()) {
            return;
        }
        ApiKeyVerifyObservationContext context = new ApiKeyVerifyObservationContext("none");
        context.rejected(reason);
        GuardedObservation.start(
                        CredentialObservation.API_KEY_VERIFY, OBSERVATION_CONVENTION, context, observations, null)
                .stop();
    }

    private Verdict decide(@Nullable String text) {
        ApiKeyToken token =
                ApiKeyToken.parse(text).filter(ApiKeyToken::isLowerCase).orElse(null);
        if (token == null) {
            return rejected("malformed", null);
        }
        if (!token.namespace().equals(options.namespace()) || !token.prefix().equals(options.prefix())) {
            return rejected("foreign-namespace", null);
        }
        if (!ApiKeyRegistryOptions.canBeIssued(token)) {
            return rejected("malformed", null);
        }
        try {
            return Operations.orUnavailable(() -> compare(token));
        } catch (ApiKeyException e) {
            audit.rejection(OPERATION, "unavailable", null, Map.of());
            throw e;
        }
    }

    private Verdict compare(ApiKeyToken token) {
        return token.hashInput().useAndClose(input -> verifyCachedOrRead(token.idHex(), input));
    }

    /** A cached row can only accept a key: what it would reject is read, since another node may have changed it. */
    private Verdict verifyCachedOrRead(String id, byte[] input) {
        RowProtection.Opened cached = store.cached(id);
        Slot cachedSlot = cached == null ? Slot.NONE : secrets.slot(cached.row(), input);
        if (cached != null && cachedSlot != Slot.NONE) {
            Instant now = clock.instant();
            if (refusal(cached.row(), cachedSlot, now) == null) {
                return accepted(cached.row(), cachedSlot, cached.contents(), now);
            }
        }
        JdbcApiKeyStore.Read read = store.read(id);
        ApiKeyRow row = read.row().orElse(secrets.decoy());
        // Hashed once, so that a wrong secret takes as long whether or not the row is cached.
        boolean knownToDiffer = cached != null
                && cachedSlot == Slot.NONE
                && cached.row().secrets().equals(row.secrets());
        String stateRefusal = refusal(row, Slot.PRIMARY, clock.instant());
        Slot slot = Slot.NONE;
        if (!knownToDiffer) {
            slot = stateRefusal == null ? secrets.slot(row, input) : secrets.likelySlot(row, input);
        }
        return decide(read, row, slot, input, stateRefusal);
    }

    /** @param stateRefusal why the key is rejected even with the right secret; only then is the slot uncertain */
    private Verdict decide(
            JdbcApiKeyStore.Read read, ApiKeyRow row, Slot slot, byte[] input, @Nullable String stateRefusal) {
        // Remembered only for a caller who has the secret: the time taken tells others nothing about the key.
        KeyContents remembered = slot == Slot.NONE ? null : protection.remembered(row);
        Authenticity authenticity = remembered == null ? protection.authenticity(row) : Authenticity.AUTHENTIC;
        if (read.row().isEmpty()) {
            return rejected("unknown", null);
        }
        if (authenticity == Authenticity.FORGED) {
            return rejected("integrity", row.id());
        }
        if (slot == Slot.NONE) {
            return rejected("bad-secret", row.id());
        }
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(row.id());
        }
        Instant now = clock.instant();
        String refusal = stateRefusal == null ? refusal(row, slot, now) : stateRefusal;
        if (refusal != null) {
            return rejected(refusal, row.id());
        }
        KeyContents contents;
        try {
            contents = remembered == null ? protection.openedAndRemembered(row) : remembered;
        } catch (SealException e) {
            return rejected("integrity", row.id());
        }
        rehasher.offer(row, slot, input); // not a cached row, since the rehash writes all of it
        store.cache(read, options.trackLastUsed() ? row.withLastUsedAt(now.toEpochMilli()) : row, contents);
        return accepted(row, slot, contents, now);
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

    private Verdict accepted(ApiKeyRow row, Slot slot, KeyContents contents, Instant now) {
        ApiKey key = contents.key(row, lastUsedAt(row, now), slot == Slot.SECONDARY);
        if (slot == Slot.SECONDARY) {
            oldSecretUses.accept(key);
        }
        if (options.trackLastUsed()) {
            lastUses.used(row.namespace(), row.id(), now.toEpochMilli(), row.lastUsedAt() == null);
        }
        audit.successReport(OPERATION, row.id(), Map.of("usedSecondary", slot == Slot.SECONDARY))
                .run();
        return new Verdict(Optional.of(key), null);
    }

    private @Nullable Instant lastUsedAt(ApiKeyRow row, Instant now) {
        return options.trackLastUsed()
                ? Instant.ofEpochMilli(now.toEpochMilli())
                : KeyContents.instant(lastUses.latest(row));
    }

    private Verdict rejected(String reason, @Nullable String id) {
        audit.rejection(OPERATION, reason, id, Map.of());
        return new Verdict(Optional.empty(), reason);
    }

    /** @param reason why the token was rejected; null if it was accepted */
    private record Verdict(
            Optional<ApiKey> accepted, @Nullable String reason) {}

    /** Where the hash of a presented secret was found. */
    enum Slot {
        PRIMARY,
        SECONDARY,
        NONE
    }
}
