package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * Remembers nonces until they expire. Must be thread-safe, and atomic across every process that shares it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NonceStore {

    /**
     * Records a nonce unless it is stored already. Of several concurrent calls with the same nonce, exactly one returns
     * true.
     *
     * @param nonce 64 hexadecimal digits when it comes from a verifier of this library
     * @param expireAt until when it must be remembered; from then on it may be inserted again
     * @return true when this call recorded it; false when it was stored already, or {@code expireAt} has passed
     * @throws RuntimeException when the store cannot tell; the delivery is then not accepted
     */
    boolean checkAndInsert(String nonce, Instant expireAt);

    /**
     * Returns the time from which on this store remembers what a verifier accepts. Signatures of earlier times are
     * refused: they may have been accepted before the store existed or was emptied, or while nonces were kept for a
     * shorter time. A verifier calls this when it is built, which begins its memory, and before each insert.
     *
     * <p>Returns {@link Instant#MIN} by default: the store is trusted to have remembered everything.
     *
     * @param verifier the name of the verifier
     * @param window how long after its timestamp a nonce is kept
     * @throws RuntimeException when the store cannot tell; the delivery is then not accepted
     */
    default Instant rememberedSince(String verifier, Duration window) {
        return Instant.MIN;
    }
}
