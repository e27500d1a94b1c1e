package io.credential.spring.internal.redis;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.webhook.replay.NonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The rules of every nonce store, on a real server, whose time cannot be set: what expires here expires soon. */
class RedisNonceStoreTests {

    private static final int CALLERS = 64;
    private static final long HOUR = 3_600_000;
    private static final Duration WINDOW = Duration.ofMinutes(6);
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
    void checkAndInsertWhenRepeatedThenOnlyFirstSucceeds() {
        assertThat(store.checkAndInsert("a", in(HOUR))).isTrue();
        assertThat(store.checkAndInsert("a", in(HOUR))).isFalse();
        assertThat(store.checkAndInsert("a", in(10 * HOUR))).isFalse();
        assertThat(store.checkAndInsert("b", in(HOUR))).isTrue();
    }

    @Test
    void forgetThenNonceIsNewAgain() {
        Instant end = in(HOUR);
        store.checkAndInsert("a", end);

        store.forget("a", end.plusMillis(1));
        store.forget("unknown", end);
        assertThat(store.checkAndInsert("a", end))
                .as("another request may have stored it")
                .isFalse();

        store.forget("a", end);
        assertThat(store.checkAndInsert("a", end)).isTrue();
    }

    @Test
    void checkAndInsertWhenCaseDiffersThenBothSucceed() {
        assertThat(store.checkAndInsert("nonce", in(HOUR))).isTrue();
        assertThat(store.checkAndInsert("Nonce", in(HOUR))).isTrue();
    }

    @Test
    void checkAndInsertWhenServerIsSharedThenNoncesAreToo() {
        assertThat(store.checkAndInsert("a", in(HOUR))).isTrue();
        assertThat(new RedisNonceStore(redis.template(), CLOCK).checkAndInsert("a", in(HOUR)))
                .isFalse();
    }

    @Test
    void nonceThenIsRememberedUntilItsTimeAndNotLonger() {
        Instant end = insertBriefly("a");

        awaitInsert("a");

        assertThat(CLOCK.instant()).isAfterOrEqualTo(end.truncatedTo(ChronoUnit.MILLIS));
        assertThat(store.checkAndInsert("a", in(HOUR))).isFalse();
    }

    @Test
    void checkAndInsertWhenRefusedThenNonceIsNotProlonged() {
        boolean refused = false;
        for (int attempt = 1; !refused; attempt++) { // another when the nonce has expired meanwhile
            String nonce = "a" + attempt;
            insertBriefly(nonce);
            refused = !store.checkAndInsert(nonce, in(10 * HOUR));
            assertThat(attempt)
                    .as("nonces that expired at once, or were prolonged")
                    .isLessThan(100);
            if (refused) {
                awaitInsert(nonce);
            }
        }
    }

    @Test
    void checkAndInsertThenExpiresToTheMillisecond() throws IOException {
        NonceStore atRest = new RedisNonceStore(redis.template(), InstantSource.fixed(Instant.ofEpochMilli(1)));

        String command = redis.commandOf(
                "SET",
                () -> assertThat(atRest.checkAndInsert("a", Instant.ofEpochMilli(HOUR)))
                        .isTrue());

        assertThat(command)
                .endsWith("\"SET\" \"credential:nonce:a\" \"" + HOUR + "\" \"PX\" \"" + (HOUR - 1) + "\" \"NX\"");
    }

    @Test
    void checkAndInsertWhenTimeIsPastThenFalseAndUnrecorded() {
        MutableClock clock = MutableClock.atNewYear();
        NonceStore atNewYear = new RedisNonceStore(redis.template(), clock);

        assertThat(atNewYear.checkAndInsert("a", clock.instant())).isFalse();
        assertThat(atNewYear.checkAndInsert("a", clock.instant().minusSeconds(60)))
                .isFalse();
        assertThat(atNewYear.checkAndInsert("a", clock.instant().plusSeconds(60)))
                .isTrue();
    }

    @RepeatedTest(3)
    void checkAndInsertWhenConcurrentThenOneWins() throws Exception {
        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    @Test
    void checkAndInsertWhenConcurrentAndExpiredThenOneWins() throws Exception {
        insertBriefly("a");
        Patience.until(() -> !redis.template().hasKey("credential:nonce:a"));

        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    @Test
    void serverWhenOutOfMemoryThenThrowsAndForgetsNothing() {
        assertThat(store.checkAndInsert("a", in(HOUR))).isTrue();
        redis.limitMemory("1");

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> store.checkAndInsert("b", in(HOUR)))
                .withStackTraceContaining("OOM");

        redis.limitMemory("0");
        assertThat(store.checkAndInsert("a", in(HOUR))).isFalse();
        assertThat(store.checkAndInsert("b", in(HOUR))).isTrue();
    }

    @Test
    void rememberedSinceWhenNewThenNow() {
        MutableClock clock = MutableClock.atNewYear();

        assertThat(at(clock).rememberedSince("partner", WINDOW)).isEqualTo(clock.instant());
    }

    @Test
    void rememberedSinceWhenRestartedThenTheSame() {
        MutableClock clock = MutableClock.atNewYear();
        Instant birth = clock.instant();
        at(clock).rememberedSince("partner", WINDOW);
        clock.advance(Duration.ofMinutes(10));

        assertThat(at(clock).rememberedSince("partner", WINDOW)).isEqualTo(birth);
        assertThat(at(clock).rememberedSince("other", WINDOW)).isEqualTo(clock.instant());
    }

    @Test
    void rememberedSinceWhenEmptiedThenTheNextSecond() {
        MutableClock clock = MutableClock.atNewYear();
        NonceStore kept = at(clock);
        kept.rememberedSince("partner", WINDOW);
        clock.advance(Duration.ofMinutes(10));
        removeNonces();

        Instant next = clock.instant().plusSeconds(1);
        assertThat(kept.rememberedSince("partner", WINDOW)).isEqualTo(next);
        assertThat(kept.rememberedSince("partner", WINDOW)).isEqualTo(next);
    }

    @Test
    void rememberedSinceWhenTheWindowWasWidenedThenNow() {
        MutableClock clock = MutableClock.atNewYear();
        at(clock).rememberedSince("partner", WINDOW);
        Instant birth = clock.instant();
        clock.advance(Duration.ofMinutes(10));

        assertThat(at(clock).rememberedSince("partner", WINDOW.dividedBy(2))).isEqualTo(birth);
        assertThat(at(clock).rememberedSince("partner", WINDOW)).isEqualTo(clock.instant());
    }

    private static NonceStore at(InstantSource clock) {
        return new RedisNonceStore(redis.template(), clock);
    }

    @Test
    void checkAndInsertWhenServerIsGoneThenThrows() throws Exception {
        try (TestRedis other = new TestRedis()) {
            LettuceConnectionFactory connections = other.newConnections(Duration.ofSeconds(1));
            connections.afterPropertiesSet();
            connections.start();
            connections.getConnection().close(); // connects; the next to use it finds it broken
            NonceStore doomed = new RedisNonceStore(new StringRedisTemplate(connections), CLOCK);
            other.stopServer();

            assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> doomed.checkAndInsert("b", in(HOUR)));
            connections.destroy();
        }
    }

    @Test
    void checkAndInsertWhenTemplateQueuesCommandsThenThrows() {
        StringRedisTemplate queueing = redis.template();
        NonceStore queued = new RedisNonceStore(queueing, CLOCK);

        queueing.execute(new SessionCallback<Void>() {
            @Override
            public <K, V> Void execute(RedisOperations<K, V> operations) {
                operations.multi();
                assertThatIllegalStateException()
                        .isThrownBy(() -> queued.checkAndInsert("a", in(HOUR)))
                        .withMessageContaining("without transaction support");
                operations.discard();
                return null;
            }
        });

        assertThat(store.checkAndInsert("a", in(HOUR))).isTrue();
    }

    /** Inserts a nonce for as short a time as this machine manages; returns when it ends. */
    private Instant insertBriefly(String nonce) {
        for (long millis = 200; millis < HOUR; millis *= 2) {
            Instant end = in(millis);
            if (store.checkAndInsert(nonce, end)) {
                return end;
            }
        }
        throw new AssertionError("A new nonce is refused");
    }

    private void awaitInsert(String nonce) {
        Patience.until(() -> store.checkAndInsert(nonce, in(HOUR)));
    }

    private static Instant in(long millis) {
        return CLOCK.instant().plusMillis(millis);
    }

    private List<Boolean> concurrently(String nonce) {
        return InParallel.run(CALLERS, () -> store.checkAndInsert(nonce, in(HOUR)));
    }
}
