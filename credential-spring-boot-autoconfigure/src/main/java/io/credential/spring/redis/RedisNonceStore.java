package io.credential.spring.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.webhook.replay.NonceStore;

/**
 * Remembers nonces in Redis, for every node that shares the server, each under a key of its own that Redis removes when
 * its time is up.
 *
 * <p>The {@code maxmemory-policy} of the server must be {@code noeviction}: with any other, a server short of memory
 * drops live nonces without a word, and their deliveries are accepted again. With {@code noeviction} it refuses new ones,
 * and so does this store. A server that restarts without persistence, or fails over to a replica that lags, forgets
 * nonces too; where that matters, keep them in the database.
 *
 * <p>An insert never takes part in a transaction: a delivery whose processing fails later stays recorded. Where an answer
 * of Redis is lost, the nonce may be recorded all the same; the delivery is then refused until its sender signs it anew.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisNonceStore implements NonceStore {

    private static final String PREFIX = "credential:nonce:";

    private final StringRedisTemplate redis;
    private final InstantSource clock;

    /**
     * @param redis connected to the server, without transaction support
     * @param clock tells how long until a nonce expires
     */
    public RedisNonceStore(StringRedisTemplate redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer or refuses
     * @throws IllegalStateException if the template queues the command, in a transaction or a pipeline, so that there is
     *     no answer
     */
    @Override
    public boolean checkAndInsert(String nonce, Instant expireAt) {
        long remaining = expireAt.toEpochMilli() - clock.millis();
        if (remaining <= 0) {
            return false;
        }
        Boolean inserted = redis.opsForValue().setIfAbsent(PREFIX + nonce, "1", Duration.ofMillis(remaining));
        if (inserted == null) {
            throw new IllegalStateException("Redis has queued the nonce and not said whether it is new;"
                    + " give the nonce store a StringRedisTemplate without transaction support");
        }
        return inserted;
    }
}
