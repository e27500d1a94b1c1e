package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * Remembers nonces until they expire. Must be thread-safe, and atomic across all processes that share it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NonceStore {

    /**
     * Stores a nonce unless it is stored already. Of several concurrent calls with the same nonce, exactly one returns
     * true.
     *
     * @param nonce from a verifier of this library, 64 hexadecimal digits
     * @param expireAt until when it must be remembered; from then on, it may be inserted again
     * @return true if this call stored it; false if it was stored already, or {@code expireAt} has passed
     * @throws RuntimeException if the store cannot decide; the request is then refused
     */
    boolean checkAndInsert(String nonce, Instant expireAt);

    /**
     * Returns the time since which this store remembers what a verifier accepts. Earlier signatures are refused: they
     * may have been accepted before the store existed or was emptied, or while nonces were kept for a shorter time. A
     * verifier calls this when it is built, so that the store starts to remember, and before each insert.
     *
     * <p>The default is {@link Instant#MIN}: the store has remembered everything.
     *
     * @param verifier the name of the verifier
     * @param window how long after its timestamp a nonce is kept
     * @throws RuntimeException if the store cannot decide; the request is then refused
     */
    default Instant rememberedSince(String verifier, Duration window) {
        return Instant.MIN;
    }

    /**
     * Forgets a nonce, so that it can be inserted again: the request was accepted, but its processing failed, and the sender will
     * send the same request again. Does nothing if the nonce is not stored with this time; another request may have stored it since.
     *
     * <p>The default does nothing: such a request is refused until its nonce expires.
     *
     * @param expireAt as it was inserted
     * @throws RuntimeException if the store does not answer; the nonce may then be remembered
     */
    default void forget(String nonce, Instant expireAt) {}
}
