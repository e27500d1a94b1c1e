package io.credential.spring.internal.redis;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.RateLimiterUnavailableException;
import io.credential.ratelimit.internal.RateLimiterContract;
import io.credential.testing.InParallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The rules of every rate limiter, on a real server. */
class RedisRateLimiterTests extends RateLimiterContract {

    private static TestRedis redis;

    @BeforeAll
    static void startRedis() throws Exception {
        redis = new TestRedis();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @AfterEach
    void removeBuckets() {
        StringRedisTemplate template = redis.template();
        template.delete(template.keys("*"));
    }

    @Override
    protected RateLimiter newLimiter() {
        return sharedOn(new RedisBucketStore(redis.template()));
    }

    @Test
    void tryAcquireWhenNodesShareABucketThenOneLimitApplies() {
        RateLimit limit = new RateLimit(100, THREE.window());
        List<RateLimiter> nodes = Stream.generate(this::newLimiter).limit(3).toList();
        AtomicInteger caller = new AtomicInteger();

        int allowed = InParallel.run(12, () -> {
                    RateLimiter node = nodes.get(caller.getAndIncrement() % nodes.size());
                    int successes = 0;
                    for (int i = 0; i < 50; i++) {
                        successes += node.tryAcquire("shared", limit).allowed() ? 1 : 0;
                    }
                    return successes;
                })
                .stream()
                .mapToInt(Integer::intValue)
                .sum();

        assertThat(allowed).isEqualTo(100);
    }

    @Test
    void tryAcquireThenRedisRemovesTheBucketWhenItIsFull() {
        limiter.tryAcquire("a", THREE);
        limiter.tryAcquire("a", THREE);

        Set<String> keys = redis.keys();
        assertThat(keys).containsExactly("credential:rate-limit:a/3/60");
        assertThat(redis.template().getExpire("credential:rate-limit:a/3/60")).isBetween(60L, 120L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not a state", "AAAAAAAAAAAAAAAA"})
    void tryAcquireWhenStateIsGarbageThenCountsFromZero(String garbage) {
        redis.template().opsForValue().set("credential:rate-limit:a/3/60", garbage.repeat(50));

        assertThat(limiter.tryAcquire("a", THREE).remaining()).isEqualTo(2);
        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isEqualTo(1);
    }

    @Test
    void tryAcquireWhenKeyHoldsAListThenCountsFromZero() {
        redis.template().opsForList().rightPush("credential:rate-limit:a/3/60", "x");

        assertThat(limiter.tryAcquire("a", THREE).remaining()).isEqualTo(2);
        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isEqualTo(1);
    }

    @Test
    void tryAcquireWhenRedisIsGoneThenUnavailable() throws Exception {
        try (TestRedis gone = new TestRedis()) {
            RateLimiter limiter = sharedOn(new RedisBucketStore(gone.template()));
            gone.stopServer();

            assertThatExceptionOfType(RateLimiterUnavailableException.class)
                    .isThrownBy(() -> limiter.tryAcquire("a", THREE));
        }
    }
}
