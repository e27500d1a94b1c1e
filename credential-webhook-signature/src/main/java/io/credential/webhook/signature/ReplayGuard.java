package io.credential.webhook.signature;

import java.time.Instant;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.replay.NonceStoreException;

/** Rejects signatures that were, or may have been, accepted before. Without a store it rejects none. Thread-safe. */
final class ReplayGuard {

    private final String name;
    private final TimeWindow window;
    private final @Nullable NonceStore store;

    /** A nonce that was stored until this time. */
    record Recorded(String nonce, Instant expireAt) {}

    /** Makes the store remember what this verifier accepts from now on. */
    ReplayGuard(String name, TimeWindow window, @Nullable NonceStore store) {
        this.name = name;
        this.window = window;
        this.store = store;
        if (store != null) {
            store.rememberedSince(name, window.memory());
        }
    }

    /** Returns whether there is a store; without one, {@link #record} does nothing. */
    boolean isEnabled() {
        return store != null;
    }

    /**
     * Records a signature that has been verified.
     *
     * @param timestamp when it was signed, in Unix seconds
     * @param tooOld the code if the store does not remember the time of the signature
     * @param id identifies the request among those of this verifier
     * @return what was recorded; null without a store
     * @throws WebhookException with that code, or {@code webhook/replay}
     * @throws NonceStoreException if the store fails
     */
    @Nullable Recorded record(long timestamp, WebhookErrorCode tooOld, String... id) {
        NonceStore known = store;
        if (known == null) {
            return null;
        }
        if (Instant.ofEpochSecond(timestamp).isBefore(ask(() -> known.rememberedSince(name, window.memory())))) {
            throw new WebhookException(
                    tooOld,
                    "The timestamp is older than the memory of the nonce store, so the request may have been accepted"
                            + " before; it must be signed again");
        }
        Recorded recorded = new Recorded(nonce(name, id), window.forgetAt(timestamp));
        if (!ask(() -> known.checkAndInsert(recorded.nonce(), recorded.expireAt()))) {
            throw new WebhookException(WebhookErrorCode.REPLAY, "This request was accepted before");
        }
        return recorded;
    }

    /**
     * Forgets what was recorded.
     *
     * @throws NonceStoreException if the store fails
     */
    void forget(Recorded recorded) {
        if (store != null) {
            try {
                store.forget(recorded.nonce(), recorded.expireAt());
            } catch (RuntimeException e) {
                throw new NonceStoreException(e);
            }
        }
    }

    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            throw new NonceStoreException(e);
        }
    }

    /** Returns a nonce of a fixed length: SHA-256 over the name of the verifier and the id. */
    static String nonce(String name, String... id) {
        FieldBytes fields = new FieldBytes(256).text(name);
        for (String field : id) {
            fields.text(field);
        }
        return fields.sha256();
    }
}
