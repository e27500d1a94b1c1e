package io.credential.spring.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.testing.MutableClock;
import io.credential.webhook.replay.NonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** The rules of every nonce store, on a real server, whose time cannot be set: what expires here expires soon. */
class RedisNonceStoreTests {

    private static final int CALLERS = 64;
    private static final InstantSource CLOCK = InstantSource.system();

    private static TestRedis redis;

    private NonceStore store;

    @BeforeAll
    static void startRedis() throws Exception {
        redis = new TestRedis();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @BeforeEach
    void createStore() {
        store = new RedisNonceStore(redis.template(), CLOCK);
    }

    @AfterEach
    void removeNonces() {
        redis.limitMemory("0");
        StringRedisTemplate template = redis.template();
        template.delete(template.keys("*"));
    }

    @Test
    void aNonceIsInsertedOnce() {
        assertThat(store.checkAndInsert("a", in(60_000))).isTrue();
        assertThat(store.checkAndInsert("a", in(60_000))).isFalse();
        assertThat(store.checkAndInsert("a", in(600_000))).isFalse();
        assertThat(store.checkAndInsert("b", in(60_000))).isTrue();
    }

    @Test
    void noncesThatDifferInCaseAreTwo() {
        assertThat(store.checkAndInsert("nonce", in(60_000))).isTrue();
        assertThat(store.checkAndInsert("Nonce", in(60_000))).isTrue();
    }

    @Test
    void nodesThatShareTheServerShareTheNonces() {
        assertThat(store.checkAndInsert("a", in(60_000))).isTrue();
        assertThat(new RedisNonceStore(redis.template(), CLOCK).checkAndInsert("a", in(60_000)))
                .isFalse();
    }

    @Test
    void aNonceIsRememberedUntilItsTimeAndNotLonger() {
        Instant end = in(700);
        assertThat(store.checkAndInsert("a", end)).isTrue();

        awaitInsert("a");

        assertThat(CLOCK.instant()).isAfterOrEqualTo(end.truncatedTo(ChronoUnit.MILLIS));
        assertThat(store.checkAndInsert("a", in(60_000))).isFalse();
    }

    @Test
    void aRefusedInsertDoesNotProlongTheNonce() {
        assertThat(store.checkAndInsert("a", in(700))).isTrue();
        assertThat(store.checkAndInsert("a", in(600_000))).isFalse();

        awaitInsert("a");
    }

    @Test
    void redisRemovesTheNonceAtItsTimeToTheMillisecond() {
        NonceStore atRest = new RedisNonceStore(redis.template(), InstantSource.fixed(Instant.EPOCH));

        assertThat(atRest.checkAndInsert("a", Instant.ofEpochMilli(59_999))).isTrue();

        assertThat(redis.template().getExpire("credential:nonce:a", TimeUnit.MILLISECONDS))
                .isBetween(30_000L, 59_999L);
    }

    @Test
    void aNonceWhoseTimeIsPastIsRefusedAndNotRecorded() {
        MutableClock clock = MutableClock.atNewYear();
        NonceStore atNewYear = new RedisNonceStore(redis.template(), clock);

        assertThat(atNewYear.checkAndInsert("a", clock.instant())).isFalse();
        assertThat(atNewYear.checkAndInsert("a", clock.instant().minusSeconds(60)))
                .isFalse();
        assertThat(atNewYear.checkAndInsert("a", clock.instant().plusSeconds(60)))
                .isTrue();
    }

    @RepeatedTest(3)
    void ofManyConcurrentInsertsExactlyOneWins() throws Exception {
        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    @Test
    void ofManyConcurrentInsertsOfAnExpiredNonceExactlyOneWins() throws Exception {
        assertThat(store.checkAndInsert("a", in(50))).isTrue();
        await().until(() -> !redis.template().hasKey("credential:nonce:a"));

        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    @Test
    void aServerOutOfMemoryForgetsNothingAndAcceptsNothing() {
        assertThat(store.checkAndInsert("a", in(60_000))).isTrue();
        redis.limitMemory("1");

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> store.checkAndInsert("b", in(60_000)))
                .withStackTraceContaining("OOM");

        redis.limitMemory("0");
        assertThat(store.checkAndInsert("a", in(60_000))).isFalse();
        assertThat(store.checkAndInsert("b", in(60_000))).isTrue();
    }

    @Test
    void aServerThatIsGoneIsAnError() throws Exception {
        try (TestRedis other = new TestRedis()) {
            NonceStore doomed = new RedisNonceStore(other.template(), CLOCK);
            assertThat(doomed.checkAndInsert("a", in(60_000))).isTrue();
            other.stopServer();

            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> doomed.checkAndInsert("b", in(60_000)));
        }
    }

    @Test
    void aTemplateThatQueuesCommandsIsAnError() {
        StringRedisTemplate queueing = redis.template();
        NonceStore queued = new RedisNonceStore(queueing, CLOCK);

        queueing.execute(new SessionCallback<Void>() {
            @Override
            public <K, V> Void execute(RedisOperations<K, V> operations) {
                operations.multi();
                assertThatIllegalStateException()
                        .isThrownBy(() -> queued.checkAndInsert("a", in(60_000)))
                        .withMessageContaining("without transaction support");
                operations.discard();
                return null;
            }
        });

        assertThat(store.checkAndInsert("a", in(60_000))).isTrue();
    }

    private void awaitInsert(String nonce) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> store.checkAndInsert(nonce, in(60_000)));
    }

    private static Instant in(long millis) {
        return CLOCK.instant().plusMillis(millis);
    }

    private List<Boolean> concurrently(String nonce) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            CyclicBarrier start = new CyclicBarrier(CALLERS);
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(callers.submit(() -> {
                    start.await();
                    return store.checkAndInsert(nonce, in(60_000));
                }));
            }
            List<Boolean> answers = new ArrayList<>();
            for (Future<Boolean> call : calls) {
                answers.add(call.get(60, TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }
}
