package io.credential.spring.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import io.credential.webhook.replay.NonceStore;

/**
 * Stores nonces in Redis, for all nodes that share the server. Each has its own key, which Redis removes when it
 * expires.
 *
 * <p>The {@code maxmemory-policy} of the server must be {@code noeviction}. With any other policy, a server that is
 * short of memory silently drops live nonces, and their requests can be replayed. With {@code noeviction}, the server
 * rejects new ones, and so does this store. The time since which a verifier's nonces have been remembered is stored as
 * well, so that a server that was emptied, or restarted without persistence, is detected. A failover to a replica that lags is
 * not; if that matters, store nonces in the database.
 *
 * <p>An insert never takes part in a transaction: a request whose processing is rolled back later remains recorded. If a
 * response from Redis is lost, the nonce may be recorded; the request is then rejected until its sender signs it again.
 * Thread-safe.
 */
public final class RedisNonceStore implements NonceStore {

    private static final String PREFIX = "credential:nonce:";
    private static final String MEMORY_PREFIX = "credential:nonce-memory:";
    /** Deletes a key that has this value. */
    private static final RedisScript<Long> DELETE = RedisScript.of(
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
            Long.class);

    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");

    private final StringRedisTemplate redis;
    private final InstantSource clock;
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /**
     * @param redis connected to the server, without transaction support
     * @param clock provides the time, to calculate when nonces expire
     */
    public RedisNonceStore(StringRedisTemplate redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer, or rejects the command
     * @throws IllegalStateException if the template queues the command in a transaction or a pipeline, and therefore
     *     returns no result
     */
    @Override
    public boolean checkAndInsert(String nonce, Instant expireAt) {
        long remaining = expireAt.toEpochMilli() - clock.millis();
        if (remaining <= 0) {
            return false;
        }
        Boolean inserted =
                redis.opsForValue().setIfAbsent(PREFIX + nonce, value(expireAt), Duration.ofMillis(remaining));
        if (inserted == null) {
            throw new IllegalStateException("Redis queued the command instead of executing it;"
                    + " give the nonce store a StringRedisTemplate without transaction support");
        }
        return inserted;
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer, or rejects the command
     */
    @Override
    public void forget(String nonce, Instant expireAt) {
        redis.execute(DELETE, List.of(PREFIX + nonce), value(expireAt));
    }

    private static String value(Instant expireAt) {
        return Long.toString(expireAt.toEpochMilli());
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.springframework.dao.DataAccessException if Redis does not answer, or rejects the command
     * @throws IllegalStateException if Redis holds something else under the key
     */
    @Override
    public Instant rememberedSince(String verifier, Duration window) {
        String key = MEMORY_PREFIX + verifier;
        long millis = window.toMillis();
        // Signatures have whole seconds. If the entry was lost, nonces of this second may be lost too.
        boolean first = begun.add(verifier);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(first ? 0 : 1);
        try {
            String fresh = text(now, millis);
            if (Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, fresh))) {
                return now;
            }
            Matcher memory = MEMORY.matcher(String.valueOf(redis.opsForValue().get(key)));
            if (!memory.matches()) {
                throw new IllegalStateException(
                        "Redis has an invalid value under the key '" + key + "'; delete the key");
            }
            Instant since = Instant.ofEpochMilli(Long.parseLong(memory.group(1)));
            long remembered = Long.parseLong(memory.group(2));
            if (first && remembered != millis) {
                since = millis > remembered ? now : since;
                redis.opsForValue().set(key, text(since, millis));
            }
            return since;
        } catch (RuntimeException e) {
            if (first) {
                begun.remove(verifier);
            }
            throw e;
        }
    }

    private static String text(Instant since, long windowMillis) {
        return since.toEpochMilli() + " " + windowMillis;
    }
}
