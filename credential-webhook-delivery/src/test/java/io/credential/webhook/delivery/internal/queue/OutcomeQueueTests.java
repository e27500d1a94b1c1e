package io.credential.webhook.delivery.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** The time of these tests stands still, so that a batch that is taken did not wait for the end of its window. */
class OutcomeQueueTests {

    private static final int FULL_BATCH = 5;

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger underWay = new AtomicInteger(1000);
    private final OutcomeQueue queue = new OutcomeQueue(4 * FULL_BATCH, underWay::get, nanos::get);

    @BeforeEach
    void openWindow() {
        add("first", false);
        assertThat(take()).as("at once").containsExactly("first");
    }

    @Test
    void takeWhenBatchIsFullThenTakesIt() {
        CompletableFuture<List<String>> batch = CompletableFuture.supplyAsync(this::take, threads);

        for (int i = 1; i < FULL_BATCH; i++) {
            add("d" + i, false);
        }
        assertThat(batch).isNotDone();
        add("d" + FULL_BATCH, false);

        assertThat(Patience.join(batch)).containsExactly("d1", "d2", "d3", "d4", "d5");
    }

    @Test
    void takeWhenAnOutcomeIsAwaitedThenTakesAll() {
        CompletableFuture<List<String>> batch = CompletableFuture.supplyAsync(this::take, threads);

        add("a", false);
        assertThat(batch).isNotDone();
        add("b", true);

        assertThat(Patience.join(batch)).containsExactly("a", "b");
        CompletableFuture<List<String>> next = CompletableFuture.supplyAsync(this::take, threads);
        add("c", false);
        assertThat(next).as("nobody waits for it").isNotDone();
        queue.close();
        Patience.join(next);
    }

    @Test
    void takeWhenNoOtherIsUnderWayThenTakesAtOnce() {
        CompletableFuture<List<String>> batch = CompletableFuture.supplyAsync(this::take, threads);
        underWay.set(2);

        add("a", false);
        assertThat(batch).isNotDone();
        add("b", false);

        assertThat(Patience.join(batch)).containsExactly("a", "b");
    }

    @Test
    void takeWhenWindowHasEndedThenTakesAtOnce() {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
        add("a", false);

        assertThat(take()).containsExactly("a");
    }

    @Test
    void takeWhenWindowEndsThenTakesWhatIsThere() {
        add("a", false);
        CompletableFuture<List<String>> batch = CompletableFuture.supplyAsync(this::take, threads);
        assertThat(batch).isNotDone();

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));

        assertThat(Patience.join(batch)).containsExactly("a");
    }

    @Test
    void takeWhenClosedThenTakesAtOnce() {
        add("a", false);
        queue.close();

        assertThat(take()).containsExactly("a");
    }

    @Test
    void takeWhenCapacityIsSmallThenDoesNotWait() {
        OutcomeQueue small = new OutcomeQueue(1, underWay::get, nanos::get);

        for (int i = 0; i < 3; i++) {
            small.add(item("d" + i, false));
            assertThat(take(small)).hasSize(1);
        }
    }

    private void add(String deliveryId, boolean isAwaited) {
        queue.add(item(deliveryId, isAwaited));
    }

    private static OutcomeQueue.Item item(String deliveryId, boolean isAwaited) {
        return new OutcomeQueue.Item(SettlerTests.outcome(deliveryId), isAwaited, new CompletableFuture<>(), 0);
    }

    private List<String> take() {
        return take(queue);
    }

    private static List<String> take(OutcomeQueue from) {
        List<OutcomeQueue.Item> batch = new ArrayList<>();
        from.takeInto(batch);
        return batch.stream().map(OutcomeQueue.Item::deliveryId).toList();
    }
}
