package io.credential.webhook.delivery.internal.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GroupWriterTests {

    private final List<List<Integer>> groups = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstIsWritten = new CountDownLatch(1);
    private final List<Thread> callers = new ArrayList<>();

    /** Negates numbers, the first of them when it is told to. */
    private GroupWriter<Integer, Integer> writer(Function<Integer, Integer> outcome) {
        return new GroupWriter<>(
                group -> {
                    groups.add(group);
                    if (groups.size() == 1) {
                        Patience.await(firstIsWritten);
                    }
                    return group.stream().map(outcome).toList();
                },
                5,
                number -> number,
                100);
    }

    @Test
    void writeWhenAloneThenAGroupOfOne() {
        firstIsWritten.countDown();
        GroupWriter<Integer, Integer> writer = writer(number -> -number);

        assertThat(writer.write(1)).isEqualTo(-1);
        assertThat(writer.write(2)).isEqualTo(-2);
        assertThat(groups).containsExactly(List.of(1), List.of(2));
    }

    @Test
    void writeWhenAnotherWritesThenTogetherAfterIt() throws Exception {
        List<Future<Integer>> results = whileTheFirstIsWritten(writer(number -> -number), 1, 2, 3, 4);

        for (int i = 0; i < results.size(); i++) {
            assertThat(Patience.get(results.get(i))).isEqualTo(-1 - i);
        }
        assertThat(groups).containsExactly(List.of(1), List.of(2, 3, 4));
    }

    @Test
    void writeWhenThereAreManyThenGroupsHoldTheMaximum() throws Exception {
        int[] numbers = IntStream.rangeClosed(1, 12).toArray();
        for (Future<Integer> result : whileTheFirstIsWritten(writer(number -> -number), numbers)) {
            assertThat(Patience.get(result)).isNegative();
        }

        assertThat(groups).extracting(List::size).containsExactly(1, 5, 5, 1);
    }

    @Test
    void writeWhenTheyAreLargeThenGroupsKeepToTheSize() throws Exception {
        for (Future<Integer> result : whileTheFirstIsWritten(writer(number -> -number), 1, 60, 40, 1, 500, 99)) {
            assertThat(Patience.get(result)).isNegative();
        }

        assertThat(groups).containsExactly(List.of(1), List.of(60, 40), List.of(1), List.of(500), List.of(99));
    }

    @Test
    void writeWhenOneIsRefusedThenOnlyThatOneFails() throws Exception {
        List<Future<Integer>> results = whileTheFirstIsWritten(
                writer(number -> {
                    if (number == 3) {
                        throw new DataIntegrityViolationException("refused");
                    }
                    return -number;
                }),
                1,
                2,
                3,
                4);

        assertThat(Patience.get(results.get(1))).isEqualTo(-2);
        assertThat(Patience.get(results.get(3))).isEqualTo(-4);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Patience.get(results.get(2)))
                .withCauseExactlyInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void writeWhenNoAnswerThenAllWaitingShareTheFailure() {
        GroupWriter<Integer, Integer> writer = writer(number -> {
            if (groups.size() == 1) {
                throw new DataAccessResourceFailureException("no answer");
            }
            return -number;
        });

        for (Future<Integer> result : whileTheFirstIsWritten(writer, 1, 2, 3)) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(result))
                    .withCauseExactlyInstanceOf(DataAccessResourceFailureException.class);
        }
        assertThat(groups).containsExactly(List.of(1));
        assertThat(writer.write(4)).isEqualTo(-4);
    }

    @Test
    void writeWhenDatabaseGoesMidwayThenRestIsNotTried() throws Exception {
        List<Future<Integer>> results = whileTheFirstIsWritten(
                writer(number -> {
                    if (number == 2) {
                        throw new DataIntegrityViolationException("refused");
                    }
                    if (number == 3) {
                        throw new DataAccessResourceFailureException("no answer");
                    }
                    return -number;
                }),
                1,
                2,
                3,
                4);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Patience.get(results.get(3)))
                .withCauseExactlyInstanceOf(DataAccessResourceFailureException.class);
        assertThat(groups).containsExactly(List.of(1), List.of(2, 3, 4), List.of(2), List.of(3));
    }

    @Test
    void writeWhenTheWriterBreaksThenTheNextStillWrite() throws Exception {
        List<Future<Integer>> results = whileTheFirstIsWritten(
                writer(number -> {
                    if (number == 1) {
                        throw new OutOfMemoryError("simulated");
                    }
                    return -number;
                }),
                1,
                2);

        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> Patience.get(results.get(0)));
        assertThat(Patience.get(results.get(1))).isEqualTo(-2);
    }

    @Test
    void writeWhenALeaderIsInterruptedThenOthersAreWritten() throws Exception {
        GroupWriter<Integer, Integer> writer = writer(number -> {
            failIfInterrupted();
            return -number;
        });
        List<Future<Integer>> results = queuedBehindTheFirst(writer, 1, 2, 3, 4);

        callers.get(1).interrupt();
        firstIsWritten.countDown();

        assertThat(Patience.get(results.get(2))).isEqualTo(-3);
        assertThat(Patience.get(results.get(3))).isEqualTo(-4);
    }

    @Test
    void writeWhenInterruptedMeanwhileThenOnlyGroupFails() throws Exception {
        GroupWriter<Integer, Integer> writer = writer(number -> {
            if (number == 2) {
                Thread.currentThread().interrupt();
            }
            failIfInterrupted();
            return -number;
        });

        List<Future<Integer>> results = whileTheFirstIsWritten(writer, 1, 2, 99);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Patience.get(results.get(1)))
                .withCauseExactlyInstanceOf(DataAccessResourceFailureException.class);
        assertThat(Patience.get(results.get(2))).isEqualTo(-99);
    }

    @Test
    void writeWhenInterruptedThenThreadStaysInterrupted() {
        firstIsWritten.countDown();
        Thread.currentThread().interrupt();

        assertThat(writer(number -> -number).write(1)).isEqualTo(-1);

        assertThat(Thread.interrupted()).isTrue();
    }

    private static void failIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new DataAccessResourceFailureException("interrupted");
        }
    }

    /** All but the first wait, in this order, before the first is let go. */
    private List<Future<Integer>> whileTheFirstIsWritten(GroupWriter<Integer, Integer> writer, int... numbers) {
        List<Future<Integer>> results = queuedBehindTheFirst(writer, numbers);
        firstIsWritten.countDown();
        return results;
    }

    private List<Future<Integer>> queuedBehindTheFirst(GroupWriter<Integer, Integer> writer, int... numbers) {
        List<Future<Integer>> results = new ArrayList<>();
        for (int number : numbers) {
            FutureTask<Integer> result = new FutureTask<>(() -> writer.write(number));
            results.add(result);
            Thread caller = new Thread(result, "caller-" + number);
            callers.add(caller);
            caller.start();
            Patience.until(
                    () -> caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING);
        }
        return results;
    }
}
