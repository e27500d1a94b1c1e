package io.credential.apikey;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads verify, rotate and revoke the same keys at once, each {@code credential.test.load.rounds} times, 150 by
 * default on each database.
 */
@BothDatabases
class RegistryUnderLoadIT {

    private static final int THREADS = 200;
    private static final int KEYS = 40;
    private static final int ROUNDS = Integer.getInteger("credential.test.load.rounds", 150);

    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;
    private final List<OrderedKey> ordered = new ArrayList<>();
    private final List<ContestedKey> contested = new ArrayList<>();
    private final Map<String, Instant> latestUse = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong verified = new AtomicLong();
    private final AtomicInteger rotated = new AtomicInteger();
    private final AtomicInteger revoked = new AtomicInteger();

    RegistryUnderLoadIT(TestDatabase database) {
        this.fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.clock(InstantSource.system()).auditSink(event -> {}));
        this.registry = fixture.registry;
    }

    @Test
    void registryWhenUnderLoadThenNoWrongAnswerNorLostUse() {
        for (int i = 0; i < KEYS; i++) {
            ordered.add(new OrderedKey(fixture.issue()));
            contested.add(new ContestedKey(fixture.issue()));
        }
        fixture.registries.start();
        InParallel.run(THREADS, Executors.callable(this::work));
        fixture.registries.close();

        contested.forEach(ContestedKey::assertSettled);
        assertThat(wrong).isEmpty();
        assertThat(verified).hasPositiveValue();
        assertThat(rotated).hasPositiveValue();
        assertThat(revoked).hasPositiveValue();
        latestUse.forEach(
                (id, used) -> assertThat(Instant.ofEpochMilli(Long.parseLong(fixture.stored(id, "last_used_at"))))
                        .as("last use of %s", id)
                        .isAfterOrEqualTo(used));
    }

    private void work() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int round = 0; round < ROUNDS && wrong.isEmpty(); round++) {
            OrderedKey orderly = ordered.get(random.nextInt(KEYS));
            ContestedKey wild = contested.get(random.nextInt(KEYS));
            try {
                int dice = random.nextInt(1000);
                if (dice < 2) {
                    orderly.revoke();
                } else if (dice < 3) {
                    wild.revoke();
                } else if (dice < 20) {
                    orderly.rotate();
                } else if (dice < 40) {
                    wild.rotate();
                } else {
                    orderly.verify();
                }
            } catch (ApiKeyException e) {
                if (e.errorCode() != ApiKeyErrorCode.ROTATION_CONFLICT && e.errorCode() != ApiKeyErrorCode.REVOKED) {
                    wrong.add(e.code() + ": " + e.getMessage() + " because of " + e.getCause());
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
        }
    }

    /** Keys that all threads change as they like: at the end, at most one secret of each may work. */
    private final class ContestedKey {

        private final String id;
        private final Queue<String> tokens = new ConcurrentLinkedQueue<>();

        ContestedKey(IssuedApiKey issued) {
            this.id = issued.id();
            tokens.add(issued.key());
        }

        void rotate() {
            tokens.add(registry.rotate(id, Rotation.immediate()).key());
            rotated.incrementAndGet();
        }

        void revoke() {
            if (registry.revoke(id)) {
                revoked.incrementAndGet();
            }
        }

        void assertSettled() {
            long working = tokens.stream()
                    .filter(token -> registry.verify(token).isPresent())
                    .count();
            boolean isRevoked = registry.getById(id).orElseThrow().revokedAt() != null;
            assertThat(working).as("working secrets of %s", id).isEqualTo(isRevoked ? 0 : 1);
        }
    }

    /** A key whose changes take turns, so that it is known at every moment which secret must work and which must not. */
    private final class OrderedKey {

        private final AtomicInteger changesBegun = new AtomicInteger();
        private final AtomicInteger changesEnded = new AtomicInteger();
        private final Queue<String> stopped = new ConcurrentLinkedQueue<>();
        private volatile IssuedApiKey issued;
        private volatile String token;

        OrderedKey(IssuedApiKey issued) {
            this.issued = issued;
            this.token = issued.key();
        }

        void verify() {
            String old = stopped.peek();
            if (old != null && registry.verify(old).isPresent()) {
                wrong.add("a secret verified after it had been stopped");
            }
            int ended = changesEnded.get();
            String current = token;
            boolean quietBefore = changesBegun.get() == ended;
            Instant before = Instant.ofEpochMilli(System.currentTimeMillis());
            Optional<ApiKey> answer = registry.verify(current);
            boolean quiet = quietBefore && changesBegun.get() == ended;
            if (answer.isPresent()) {
                verified.incrementAndGet();
                latestUse.merge(answer.get().id(), before, (a, b) -> a.isAfter(b) ? a : b);
            } else if (quiet) {
                wrong.add("a secret that nobody had stopped was rejected");
            }
        }

        synchronized void rotate() {
            change(() -> registry.rotate(issued.id(), Rotation.immediate()).key());
            rotated.incrementAndGet();
        }

        synchronized void revoke() {
            change(() -> {
                assertThat(registry.revoke(issued.id())).isTrue();
                issued = fixture.issue();
                return issued.key();
            });
            revoked.incrementAndGet();
        }

        private void change(Supplier<String> newToken) {
            changesBegun.incrementAndGet();
            String old = token;
            token = newToken.get();
            stopped.clear();
            stopped.add(old);
            changesEnded.incrementAndGet();
        }
    }
}
