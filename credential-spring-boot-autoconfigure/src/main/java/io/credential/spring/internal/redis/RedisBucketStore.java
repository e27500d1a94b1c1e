package io.credential.spring.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.ratelimit.BucketStore;

/**
 * Stores the buckets of rate limits in Redis, for all nodes that share the server. Redis removes buckets that are full
 * again. A server that is emptied, or evicts keys because it is short of memory, permits the full limits again. Waits as
 * long as the connection does: set {@code spring.data.redis.timeout}. Thread-safe.
 */
public final class RedisBucketStore implements BucketStore {

    private static final String PREFIX = "credential:rate-limit:";

    /** Longer values are not read: no state is so long. */
    private static final int MAX_LENGTH = 64;

    /** Starts the error for a key that does not hold a string. Stands for its state: no bucket has this one. */
    private static final String WRONG_TYPE = "WRONGTYPE";

    /** A bucket that does not exist reads as empty. */
    private static final byte[] REPLACE =
            """
            local state = redis.pcall('GETRANGE', KEYS[1], 0, %d)
            if type(state) == 'table' then state = string.sub(state.err, 1, %d) end
            if state ~= ARGV[1] then return 0 end
            redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
            return 1""".formatted(MAX_LENGTH, WRONG_TYPE.length()).getBytes(StandardCharsets.UTF_8);

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
        byte[] state;
        try {
            state = redis.execute((RedisCallback<byte[]>)
                    connection -> connection.stringCommands().getRange(key(bucket), 0, MAX_LENGTH));
        } catch (NonTransientDataAccessException e) {
            if (!isOfWrongType(e)) {
                throw e;
            }
            state = WRONG_TYPE.getBytes(StandardCharsets.UTF_8);
        }
        return state == null || state.length == 0 ? Optional.empty() : Optional.of(state);
    }

    private static boolean isOfWrongType(NonTransientDataAccessException failure) {
        String error = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
        return error != null && error.startsWith(WRONG_TYPE);
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer, or rejects the command
     */
    @Override
    public boolean replace(String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive) {
        Long replaced = redis.execute((RedisCallback<Long>) connection -> connection
                .scriptingCommands()
                .eval(
                        REPLACE,
                        ReturnType.INTEGER,
                        1,
                        key(bucket),
                        expected == null ? new byte[0] : expected,
                        state,
                        String.valueOf(timeToLive.toMillis()).getBytes(StandardCharsets.UTF_8)));
        return Long.valueOf(1).equals(replaced);
    }

    private static byte[] key(String bucket) {
        return (PREFIX + bucket).getBytes(StandardCharsets.UTF_8);
    }
}
