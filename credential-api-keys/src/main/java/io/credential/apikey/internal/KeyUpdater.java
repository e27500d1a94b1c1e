package io.credential.apikey.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.audit.AuditEvent;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;

/** Rotates, updates, disables, enables and revokes keys. */
final class KeyUpdater {

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final KeyIssuer issuer;
    private final InstantSource clock;
    private final ApiKeyRegistryOptions options;

    KeyUpdater(
            Operations operations,
            RowAccess rows,
            JdbcApiKeyStore store,
            RowProtection protection,
            KeyIssuer issuer,
            InstantSource clock,
            ApiKeyRegistryOptions options) {
        this.operations = operations;
        this.rows = rows;
        this.store = store;
        this.protection = protection;
        this.issuer = issuer;
        this.clock = clock;
        this.options = options;
    }

    RotatedApiKey rotate(String id, Rotation rotation) {
        return operations.audited("apikey.rotate", () -> {
            long now = clock.millis();
            ApiKeyRow row = rows.active(id, now);
            ApiKeyToken token = issuer.newToken(row.id());
            RotatedApiKey rotated = rotated(row, token, rotation, now);
            String hash = issuer.hash(token);
            Instant grace = rotated.secondaryExpiresAt();
            Secrets secrets = grace == null
                    ? new Secrets(hash, null, null)
                    : new Secrets(hash, row.secrets().primary(), grace.toEpochMilli());
            ApiKeyRow changed = active(row.withPrefix(token.prefix()).withSecrets(secrets), now);
            // Only the write is in the transaction; the row is read and the secret hashed before it.
            long version = operations.inGuardedTransaction(() -> rows.writeUnlocked(changed, row, now));
            return new Result<>(
                    rotated,
                    row.id(),
                    Map.of("graceMillis", rotated.gracePeriod().toMillis(), AuditEvent.VERSION, version));
        });
    }

    ApiKey update(String id, ApiKeyChanges changes) {
        return operations.audited("apikey.update", () -> {
            if (changes.scopes() != null) {
                KeyRules.requireKnown(changes.scopes(), options);
            }
            Instant now = Instant.ofEpochMilli(clock.millis());
            ApiKeyRow row = rows.active(id, now.toEpochMilli());
            KeyContents before = rows.contents(row);
            KeyContents after = before.with(changes);
            ApiKeyRow changed = changed(row, after, changes, now);
            long version = operations.inGuardedTransaction(() -> {
                long written = rows.writeUnlocked(changed, row, now.toEpochMilli());
                store.ledger().described(row, before, after);
                return written;
            });
            Map<String, Object> facts = facts(before, after, row, changed);
            facts.put(AuditEvent.VERSION, version);
            return new Result<>(rows.opened(changed), row.id(), facts);
        });
    }

    /** Returns whether this call disabled the key; the row is locked, so that it waits for other changes. */
    boolean disable(String id) {
        return operations.change("apikey.disable", () -> setDisabled(id, true));
    }

    /** Returns whether this call enabled the key. */
    boolean enable(String id) {
        return operations.change("apikey.enable", () -> setDisabled(id, false));
    }

    private Result<Boolean> setDisabled(String id, boolean disabled) {
        ApiKeyRow row = rows.notRevokedLocked(id);
        if (row.isDisabled() == disabled) {
            store.invalidate(row.id());
            return new Result<>(false, row.id(), Map.of("effective", false));
        }
        long now = clock.millis();
        long version =
                rows.writeLocked(disabled ? row.withDisabledAt(now) : active(row.withDisabledAt(null), now), row);
        return new Result<>(true, row.id(), Map.of("effective", true, AuditEvent.VERSION, version));
    }

    /** Records the time only if idle keys are disabled, because earlier versions reject keys that have it. */
    private ApiKeyRow active(ApiKeyRow row, long now) {
        if (options.disableAfterIdle() == null) {
            return row;
        }
        KeyContents contents = rows.contents(row).withActiveSince(now);
        return row.withCells(protection.seal(row.identity(), row.cells().ownerIdHash(), contents));
    }

    /** Revokes a key, even if its row is not authentic or changes concurrently. */
    boolean revoke(String id) {
        return operations.change("apikey.revoke", () -> {
            Optional<ApiKeyRow> found = rows.findLocked(id);
            return found.map(this::revoke).orElseGet(() -> new Result<>(false, null, Map.of("effective", false)));
        });
    }

    private Result<Boolean> revoke(ApiKeyRow row) {
        long now = clock.millis();
        Authenticity authenticity = protection.authenticity(row);
        if (authenticity == Authenticity.AUTHENTIC) {
            boolean effective = !row.isRevoked();
            // A repeated revocation writes a version, too, so that an audit log that began after the first one gets an
            // entry.
            long version = rows.writeLocked(effective ? row.withRevokedAt(now) : row, row);
            return new Result<>(effective, row.id(), Map.of("effective", effective, AuditEvent.VERSION, version));
        }
        // A row that is not authentic cannot prove an earlier revocation. It is revoked again, but never gets a MAC.
        if (authenticity == Authenticity.FORGED) {
            operations.integrityFailure("apikey.revoke", row.id());
        }
        store.revokeUnauthenticated(row, now);
        // Its version proves nothing either. If an authentic row is put back, it is older than this.
        return new Result<>(true, row.id(), Map.of("effective", true, AuditEvent.VERSION, AuditEvent.FINAL_VERSION));
    }

    private RotatedApiKey rotated(ApiKeyRow row, ApiKeyToken token, Rotation rotation, long now) {
        // An old secret with another prefix is rejected in any case, so it gets no grace period.
        if (rotation instanceof Rotation.Graceful graceful && row.hasPrefix(token.prefix())) {
            Duration grace = graceful.grace() == null ? options.rotationGrace() : graceful.grace();
            return new RotatedApiKey(
                    row.id(), TokenForm.text(token), grace, Instant.ofEpochMilli(now + grace.toMillis()));
        }
        return new RotatedApiKey(row.id(), TokenForm.text(token), Duration.ZERO, null);
    }

    private ApiKeyRow changed(ApiKeyRow row, KeyContents contents, ApiKeyChanges changes, Instant now) {
        ApiKeyRow changed =
                row.withCells(protection.seal(row.identity(), row.cells().ownerIdHash(), contents));
        if (changes.expiry() == null) {
            return changed;
        }
        Instant expiresAt = KeyIssuer.futureMillis(changes.expiry().at(), now);
        Long before = row.state().expiresAt();
        if (before != null && (expiresAt == null || expiresAt.toEpochMilli() > before)) {
            KeyRules.requirePermitted(
                    expiresAt, Instant.ofEpochMilli(row.identity().createdAt()), options);
        }
        return changed.withExpiresAt(expiresAt == null ? null : expiresAt.toEpochMilli());
    }

    /** Returns the audit attributes: scopes, expiry, rate limit and networks by value; for name and metadata, only whether they changed. */
    private static Map<String, Object> facts(KeyContents before, KeyContents after, ApiKeyRow old, ApiKeyRow changed) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("scopesAdded", without(after.scopes(), before.scopes()));
        facts.put("scopesRemoved", without(before.scopes(), after.scopes()));
        Long oldExpiry = old.state().expiresAt();
        Long expiry = changed.state().expiresAt();
        if (!Objects.equals(oldExpiry, expiry)) {
            facts.put("expiresAtBefore", KeyContents.expiryText(KeyContents.instant(oldExpiry)));
            facts.put("expiresAt", KeyContents.expiryText(KeyContents.instant(expiry)));
        }
        facts.put(
                "nameChanged",
                !Objects.equals(before.details().name(), after.details().name()));
        RateLimit oldLimit = before.details().rateLimit();
        RateLimit limit = after.details().rateLimit();
        if (!Objects.equals(oldLimit, limit)) {
            facts.put("rateLimitBefore", KeyContents.rateLimitText(oldLimit));
            facts.put("rateLimit", KeyContents.rateLimitText(limit));
        }
        Quota oldQuota = before.details().quota();
        Quota quota = after.details().quota();
        if (!Objects.equals(oldQuota, quota)) {
            facts.put("quotaBefore", KeyContents.quotaText(oldQuota));
            facts.put("quota", KeyContents.quotaText(quota));
        }
        List<String> oldNetworks = before.details().allowedNetworks();
        List<String> networks = after.details().allowedNetworks();
        if (!oldNetworks.equals(networks)) {
            facts.put("networksAdded", without(networks, oldNetworks));
            facts.put("networksRemoved", without(oldNetworks, networks));
        }
        facts.put("metadataChanged", !before.metadata().equals(after.metadata()));
        return facts;
    }

    private static List<String> without(Collection<String> values, Collection<String> others) {
        return values.stream().filter(value -> !others.contains(value)).toList();
    }
}
