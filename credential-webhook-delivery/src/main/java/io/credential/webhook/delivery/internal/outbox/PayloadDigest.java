package io.credential.webhook.delivery.internal.outbox;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.BlindIndex;
import io.credential.seal.internal.Keyring;
import io.credential.webhook.delivery.internal.queue.Payload;

/**
 * Computes hashes with which erased payloads can be compared in their {@link CanonicalJson} form. They depend on the
 * keyring and the idempotency key: a reader of the database can neither test a guess of the payload nor recognize equal
 * ones. Thread-safe.
 */
final class PayloadDigest {

    private static final HexFormat HEX = HexFormat.of();

    private final BlindIndex index;

    PayloadDigest(Keyring keyring) {
        this.index = new BlindIndex(keyring, "webhook-payload");
    }

    String of(String idempotencyKey, Payload payload) {
        return index.of(idempotencyKey, hash(payload));
    }

    /** Returns whether a stored hash is of the payload of an event; false if the keyring has lost the key of the hash. */
    boolean matches(@Nullable String stored, Event event) {
        String key = event.idempotencyKey();
        return stored != null
                && key != null
                && index.candidates(key, hash(event.payload())).contains(stored);
    }

    private static String hash(Payload payload) {
        try {
            return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(CanonicalJson.of(payload.bytes())));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
