package io.credential.apikey.internal;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.SecretMatcher.Slot;
import io.credential.audit.AuditEvent;
import io.credential.internal.cluster.Leadership;
import io.credential.secret.SecretBytes;

/**
 * Rehashes a secret that was just verified, if the algorithm or parameters of the registry have changed. The work waits
 * for the background thread, once for each secret. What exceeds the capacity is left to a later verify.
 */
final class SecretRehasher {

    private static final Logger LOG = LoggerFactory.getLogger(SecretRehasher.class);
    private static final String OPERATION = "apikey.secret-rehash";
    private static final int CAPACITY = 256;

    /** So that slow hashes do not keep the thread from its other work. */
    private static final int MOST_PER_ROUND = 16;

    private final Operations operations;
    private final RowAccess rows;
    private final RememberedHashes hasher;
    private final Leadership leadership;
    private final Map<Target, Rehash> waiting = new ConcurrentHashMap<>();
    private volatile boolean accepting;

    SecretRehasher(Operations operations, RowAccess rows, RememberedHashes hasher, Leadership leadership) {
        this.operations = operations;
        this.rows = rows;
        this.hasher = hasher;
        this.leadership = leadership;
    }

    /** Accepts work from now on; something must then call {@link #drain()}. */
    void start() {
        accepting = true;
    }

    /** Accepts no more work and discards pending work. */
    void stop() {
        accepting = false;
        waiting.keySet().forEach(this::forget);
    }

    void offer(ApiKeyRow row, Slot slot, byte[] input) {
        String stored = slot == Slot.SECONDARY
                ? row.secrets().secondary()
                : row.secrets().primary();
        Target target = new Target(row.id(), slot);
        if (!accepting
                || stored == null
                || row.rowMac() == null
                || !hasher.needsRehash(stored)
                || waiting.size() >= CAPACITY
                || waiting.containsKey(target)
                || !leadership.isLeader()) {
            return;
        }
        SecretBytes copy = SecretBytes.copyOf(input);
        if (waiting.putIfAbsent(target, new Rehash(row, slot, copy)) != null) {
            copy.close();
        } else if (!accepting) {
            forget(target);
        }
    }

    /** Does some of the pending work; a failure is logged, and a later verify tries again. */
    void drain() {
        waiting.keySet().stream().limit(MOST_PER_ROUND).forEach(target -> {
            Rehash rehash = waiting.remove(target);
            if (rehash == null) {
                return;
            }
            try (SecretBytes input = rehash.input()) {
                rehash(rehash, input);
            } catch (ApiKeyException e) {
                LOG.debug("API key {} keeps its hash until it is verified again", target.id(), e);
            }
        });
    }

    private void rehash(Rehash rehash, SecretBytes input) {
        if (isChanged(rehash.row())) {
            return; // rotated or revoked since: a new hash would not be stored
        }
        String hash = Operations.orUnavailable(() -> input.use(hasher::hash));
        operations.change(OPERATION, () -> store(rehash, hash));
    }

    private boolean isChanged(ApiKeyRow row) {
        return Operations.orUnavailable(() -> rows.find(row.id()))
                .filter(now -> Objects.equals(now.rowMac(), row.rowMac()))
                .isEmpty();
    }

    /** Writes the row back as it was verified, which undoes any later change that bypassed the registry. */
    private Operations.Result<Boolean> store(Rehash rehash, String hash) {
        ApiKeyRow row = rehash.row();
        boolean secondary = rehash.slot() == Slot.SECONDARY;
        Secrets read = row.secrets();
        ApiKeyRow rehashed = row.withSecrets(
                secondary
                        ? new Secrets(read.primary(), hash, read.secondaryExpiresAt())
                        : new Secrets(hash, read.secondary(), read.secondaryExpiresAt()));
        long version = rows.writeLocked(rehashed, row);
        return new Operations.Result<>(
                true, row.id(), Map.of("slot", secondary ? "secondary" : "primary", AuditEvent.VERSION, version));
    }

    private void forget(Target target) {
        Rehash rehash = waiting.remove(target);
        if (rehash != null) {
            rehash.input().close();
        }
    }

    private record Target(String id, Slot slot) {}

    private record Rehash(ApiKeyRow row, Slot slot, SecretBytes input) {}
}
