package io.credential.apikey;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyVerifier.Slot;
import io.credential.cluster.NotLeaderException;
import io.credential.secret.SecretBytes;

/**
 * Brings the hash of a secret that was just verified to the registry's algorithm and parameters. The work waits in a
 * short queue for the background thread; what does not fit is left to a later verify.
 */
final class SecretRehasher {

    private static final Logger LOG = LoggerFactory.getLogger(SecretRehasher.class);
    private static final String OPERATION = "apikey.secret-rehash";
    private static final int QUEUE_CAPACITY = 256;

    private final RegistryParts parts;
    private final Operations operations;
    private final Queue<Rehash> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private volatile boolean accepting;

    SecretRehasher(RegistryParts parts, Operations operations) {
        this.parts = parts;
        this.operations = operations;
    }

    /** Takes work from now on; to be called when something will call {@link #drain()}. */
    void start() {
        accepting = true;
    }

    /** Takes no more work and forgets what waits. */
    void stop() {
        accepting = false;
        for (Rehash rehash = queue.poll(); rehash != null; rehash = queue.poll()) {
            rehash.input().close();
        }
    }

    void offer(ApiKeyRow row, Slot slot, byte[] input) {
        String stored = slot == Slot.SECONDARY ? row.secondarySecretHash() : row.secretHash();
        if (!accepting
                || stored == null
                || row.rowMac() == null
                || !parts.hasher().needsRehash(stored)
                || !parts.leadership().isLeader()) {
            return;
        }
        SecretBytes copy = SecretBytes.copyOf(input);
        if (!queue.offer(new Rehash(row, slot, copy))) {
            copy.close();
        }
    }

    /** Does the work that waits; a failure is logged and left to a later verify. */
    void drain() {
        for (Rehash rehash = queue.poll(); rehash != null; rehash = queue.poll()) {
            try (SecretBytes input = rehash.input()) {
                rehash(rehash, input);
            } catch (ApiKeyException | NotLeaderException e) {
                LOG.debug(
                        "API key {} keeps its hash until it is verified again",
                        rehash.row().id(),
                        e);
            }
        }
    }

    private void rehash(Rehash rehash, SecretBytes input) {
        String hash = Operations.decidable(() -> parts.hasher().hash(input.toByteArray()));
        operations.change(OPERATION, rehash.row().id(), () -> store(rehash, hash));
    }

    /** Writes back the row as it was verified, so that whatever was changed behind our back since is undone with it. */
    private Operations.Result<Boolean> store(Rehash rehash, String hash) {
        ApiKeyRow row = rehash.row();
        boolean secondary = rehash.slot() == Slot.SECONDARY;
        ApiKeyRow rehashed = secondary
                ? row.withSecrets(row.secretHash(), hash, row.secondaryExpiresAt())
                : row.withSecrets(hash, row.secondarySecretHash(), row.secondaryExpiresAt());
        if (!parts.store().replace(parts.protection().authenticated(rehashed), row.rowMac())) {
            throw RowAccess.conflict(row.id());
        }
        return new Operations.Result<>(true, row.id(), Map.of("slot", secondary ? "secondary" : "primary"));
    }

    private record Rehash(ApiKeyRow row, Slot slot, SecretBytes input) {}
}
