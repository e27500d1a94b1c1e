package io.credential.spring.redis;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

import io.credential.ratelimit.BucketStore;

/**
 * Stores the buckets of rate limits in Redis, for all nodes that share the server. Redis removes buckets that are full
 * again. A server that is emptied, or evicts keys because it is short of memory, permits the full limits again. Waits as
 * long as the connection does: set {@code spring.data.redis.timeout}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisBucketStore implements BucketStore {

    private static final String PREFIX = "credential:rate-limit:";

    private static final RedisScript<Long> REPLACE = new DefaultRedisScript<>("""
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
            return 1""", Long.class);

    private final StringRedisTemplate redis;

    /** @param redis connected to the server, without transaction support */
    public RedisBucketStore(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer
     */
    @Override
    public Optional<byte[]> find(String bucket) {
        return Optional.ofNullable(redis.opsForValue().get(PREFIX + bucket)).map(Base64.getDecoder()::decode);
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer, or rejects the command
     */
    @Override
    public boolean replace(String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive) {
        String key = PREFIX + bucket;
        String encoded = Base64.getEncoder().encodeToString(state);
        if (expected == null) {
            return Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, encoded, timeToLive));
        }
        Long replaced = redis.execute(
                REPLACE,
                List.of(key),
                Base64.getEncoder().encodeToString(expected),
                encoded,
                String.valueOf(timeToLive.toMillis()));
        return Long.valueOf(1).equals(replaced);
    }
}
