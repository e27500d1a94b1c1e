package io.credential.spring.console.internal.overview;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** How often the overview reads the database. */
class OverviewReaderTests {

    @AutoClose
    private final TestThreads threads = new TestThreads();

    /** The number may be negative, as that of the JVM. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<Integer> reads = new ArrayList<>();
    private final CountedPart first = new CountedPart(1);
    private final CountedPart second = new CountedPart(2);
    private final CountedPart third = new CountedPart(3);
    private final OverviewReader reader = new OverviewReader(List.of(third, first, second), clock, nanos::get);

    @Test
    void readWhenFirstThenReadsAllPartsInOrder() {
        OverviewReader.State state = reader.read();

        assertThat(reads).containsExactly(1, 2, 3);
        assertThat(strings(state)).containsExactly("1.1", "2.1", "3.1");
        assertThat(state.failingSince()).isNull();
    }

    @Test
    void readWhenAllAreFreshThenReadsNothing() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos() - 1);

        reader.read();

        assertThat(reads).hasSize(3);
    }

    @Test
    void readWhenPartsAreOldThenOneARequest() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());

        reader.read();
        assertThat(reads).hasSize(4);
        nanos.addAndGet(1);
        reader.read();
        nanos.addAndGet(1);
        reader.read();
        assertThat(reads.subList(3, 6)).containsExactlyInAnyOrder(1, 2, 3);

        reader.read();
        assertThat(reads).as("all are fresh again").hasSize(6);
    }

    @Test
    void readWhenSeveralAreOldThenTheOldestFirst() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        reader.read();
        int readAgain = reads.get(3);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());

        reader.read();
        reader.read();

        assertThat(reads.subList(4, 6)).doesNotContain(readAgain).doesNotHaveDuplicates();
    }

    @Test
    void readWhenDatabaseFailsThenKeepsWhatWasRead() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        fail(new DataAccessResourceFailureException("down"));

        OverviewReader.State state = reader.read();

        assertThat(strings(state)).containsExactly("1.1", "2.1", "3.1");
        assertThat(state.failingSince()).isEqualTo(clock.instant());
    }

    @Test
    void readWhenStillFailingThenTheTimeIsThatOfTheFirst() {
        fail(new CannotCreateTransactionException("down"));
        var since = reader.read().failingSince();
        clock.advance(Duration.ofMinutes(1));

        assertThat(since).isNotNull();
        assertThat(reader.read().failingSince()).isEqualTo(since);
    }

    @Test
    void readWhenOneFailsThenTheOthersAreNotReadTwice() {
        second.failure = new DataAccessResourceFailureException("down");
        assertThat(reader.read().parts()).extracting(PartReading::isUnread).containsExactly(false, true, true);
        second.failure = null;

        OverviewReader.State state = reader.read();

        assertThat(state.failingSince()).isNull();
        assertThat(reads).containsExactly(1, 2, 2, 3);
    }

    @Test
    void readWhenDatabaseAnswersAgainThenNotFailing() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        fail(new DataAccessResourceFailureException("down"));
        reader.read();
        fail(null);

        OverviewReader.State state = reader.read();

        assertThat(state.failingSince()).isNull();
        assertThat(strings(state)).contains("1.3");
    }

    @Test
    void readWhenAPartHasADefectThenThrows() {
        first.failure = new IllegalStateException("a defect");

        assertThatIllegalStateException().isThrownBy(reader::read);

        first.failure = null;
        assertThat(reader.read().failingSince()).isNull();
    }

    @Test
    void readWhenAnotherReadsThenReturnsWhatIsKnown() {
        reader.read();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        first.waiting = () -> {
            begun.countDown();
            Patience.await(end);
        };
        var other = CompletableFuture.supplyAsync(reader::read, threads);
        Patience.await(begun);

        OverviewReader.State known = reader.read();

        assertThat(strings(known)).containsExactly("1.1", "2.1", "3.1");
        end.countDown();
        assertThat(strings(Patience.join(other))).contains("1.2");
    }

    @Test
    void readWhenOthersWaitAndItFailsThenIsTriedOnce() {
        fail(new DataAccessResourceFailureException("down"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        first.waiting = () -> {
            begun.countDown();
            Patience.await(end);
        };
        var tries = CompletableFuture.supplyAsync(reader::read, threads);
        Patience.await(begun);
        AtomicReference<Thread> waiting = new AtomicReference<>();
        var waits = CompletableFuture.supplyAsync(
                () -> {
                    waiting.set(Thread.currentThread());
                    return reader.read();
                },
                threads);
        Patience.until(() -> waiting.get() != null && waiting.get().getState() == Thread.State.WAITING);

        end.countDown();

        assertThat(Patience.join(waits).failingSince()).isNotNull();
        assertThat(Patience.join(tries).failingSince()).isNotNull();
        assertThat(reads).containsExactly(1);
    }

    private static List<String> strings(OverviewReader.State state) {
        return state.parts().stream().map(part -> String.valueOf(part.value())).toList();
    }

    private void fail(@Nullable RuntimeException failure) {
        first.failure = failure;
        second.failure = failure;
        third.failure = failure;
    }

    /** Returns its order and how often it was read. */
    private final class CountedPart implements OverviewPart<String> {

        private final int order;
        private int count;
        private volatile @Nullable RuntimeException failure;
        private volatile Runnable waiting = () -> {};

        private CountedPart(int order) {
            this.order = order;
        }

        @Override
        public int order() {
            return order;
        }

        @Override
        public String read() {
            waiting.run();
            reads.add(order);
            count++;
            RuntimeException thrown = failure;
            if (thrown != null) {
                throw thrown;
            }
            return order + "." + count;
        }

        @Override
        public void render(HtmlTemplateOutput output, String value) {}
    }
}
