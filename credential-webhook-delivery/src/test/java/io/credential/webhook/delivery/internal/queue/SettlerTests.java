package io.credential.webhook.delivery.internal.queue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

import ch.qos.logback.classic.Level;
import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.testing.CapturedLog;
import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;

import static org.assertj.core.api.Assertions.assertThat;

class SettlerTests {

    private final AtomicReference<Thread> storing = new AtomicReference<>();
    private volatile Function<List<String>, Set<String>> database = Set::copyOf;

    @Test
    void settleWhenStoringThreadDiedThenStoresAgain() {
        Settler settler = settler();
        database = ids -> {
            throw new Unloggable();
        };

        CompletableFuture<Boolean> lost = settler.settle(outcome("a"), true);
        assertThat(Patience.join(lost)).isFalse();
        Patience.join(storing.get());
        database = Set::copyOf;

        assertThat(Patience.join(settler.settle(outcome("b"), true))).isTrue();
        settler.close();
    }

    @Test
    void settleWhenMemoryIsExhaustedThenStoredLater() {
        Settler settler = settler();
        database = ids -> {
            database = Set::copyOf;
            throw new OutOfMemoryError("Java heap space");
        };

        assertThat(Patience.join(settler.settle(outcome("a"), true))).isTrue();
        settler.close();
    }

    @Test
    void settleWhenThereIsNoThreadThenStoredLater() {
        ScarceThreads threads = new ScarceThreads();
        Settler settler = settler(threads);
        CompletableFuture<Boolean> stored = settler.settle(outcome("a"), true);
        assertThat(stored).isNotDone();
        threads.provide();

        settler.storeWaiting();

        assertThat(Patience.join(stored)).isTrue();
        settler.close();
    }

    @Test
    void closeWhenThereWasNoThreadThenStoresOutcomes() {
        ScarceThreads threads = new ScarceThreads();
        Settler settler = settler(threads);
        CompletableFuture<Boolean> stored = settler.settle(outcome("a"), true);
        threads.provide();

        settler.close();

        assertThat(Patience.join(stored)).isTrue();
    }

    @Test
    void settleWhenRejectedThenDoesNotWaitForOthers() {
        Settler settler = settler();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<CompletableFuture<Boolean>> rejected = new CompletableFuture<>();
        List<Boolean> known = new CopyOnWriteArrayList<>();
        database = ids -> {
            if (ids.contains("first")) {
                busy.complete(null);
                Patience.join(rejected); // so that the others become one batch
            } else if (ids.contains("rejected")) {
                throw new DataIntegrityViolationException("rejected");
            } else {
                known.add(Patience.join(rejected).isDone());
            }
            return Set.copyOf(ids);
        };

        var unused = settler.settle(outcome("first"), true);
        Patience.join(busy);
        CompletableFuture<Boolean> bad = settler.settle(outcome("rejected"), true);
        CompletableFuture<Boolean> good = settler.settle(outcome("good"), true);
        rejected.complete(bad);

        assertThat(Patience.join(good)).isTrue();
        assertThat(Patience.join(bad)).isFalse();
        assertThat(known).containsExactly(true);
        settler.close();
    }

    @Test
    void settleWhenTakenOverThenWarnsOncePerBatch() {
        Settler settler = settler();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<Void> given = new CompletableFuture<>();
        database = ids -> {
            busy.complete(null);
            Patience.join(given); // so that the others become one batch
            return ids.contains("first") ? Set.copyOf(ids) : Set.of("mine");
        };
        try (CapturedLog log = CapturedLog.of(Settler.class)) {
            var unused = settler.settle(outcome("first"), true);
            Patience.join(busy);
            CompletableFuture<Boolean> lost = settler.settle(outcome("lost"), true);
            CompletableFuture<Boolean> mine = settler.settle(outcome("mine"), true);
            CompletableFuture<Boolean> alsoLost = settler.settle(outcome("also-lost"), true);
            given.complete(null);

            assertThat(Patience.join(lost)).isFalse();
            assertThat(Patience.join(mine)).isTrue();
            assertThat(Patience.join(alsoLost)).isFalse();
            settler.close();
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("2 deliveries", "for example lost");
        }
    }

    @Test
    void settleWhenTwoClaimsOfADeliveryThenOneIsStored() {
        Settler settler = settler();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<Void> given = new CompletableFuture<>();
        Set<String> settled = new HashSet<>();
        database = ids -> {
            busy.complete(null);
            Patience.join(given); // so that the others become one batch
            return ids.stream().filter(settled::add).collect(Collectors.toSet());
        };
        var unused = settler.settle(outcome("first"), true);
        Patience.join(busy);
        CompletableFuture<Boolean> one = settler.settle(outcome("a"), true);
        CompletableFuture<Boolean> other = settler.settle(outcome("a"), true);
        CompletableFuture<Boolean> last = settler.settle(outcome("b"), true);
        given.complete(null);

        assertThat(Patience.join(one)).isTrue();
        assertThat(Patience.join(other)).isFalse();
        assertThat(Patience.join(last)).isTrue();
        settler.close();
    }

    static Settlement outcome(String deliveryId) {
        Claim claim = new Claim(1, "owner", 0, 0);
        return Settlement.released(new ClaimedDelivery(
                deliveryId,
                "event",
                "endpoint",
                "e",
                1,
                0,
                0,
                0,
                claim,
                false,
                null,
                null,
                0,
                Payload.stored(new byte[0]),
                null));
    }

    private Settler settler() {
        return settler(Thread::new);
    }

    private Settler settler(ThreadFactory threads) {
        ThreadPoolExecutor executor = DaemonThreads.single("test", new LinkedBlockingQueue<>());
        executor.setThreadFactory(threads);
        return new Settler(
                this::store,
                outcomes -> {
                    throw new AssertionError("no call of settle was repeated");
                },
                60_000,
                new OutcomeQueue(4, () -> 1, System::nanoTime),
                ObservationRegistry.NOOP,
                executor);
    }

    private Set<String> store(List<Settlement> settlements) {
        storing.set(Thread.currentThread());
        return database.apply(settlements.stream()
                .map(settlement -> settlement.claimed().deliveryId())
                .toList());
    }

    /** Like an exhausted heap, which lets nothing be logged either. */
    private static final class Unloggable extends Error {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw this;
        }
    }
}
