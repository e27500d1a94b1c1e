package io.credential.spring.autoconfigure.cluster;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;

import static org.assertj.core.api.Assertions.assertThat;

class LeadershipEventsTests {

    private final List<Object> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch waiting = new CountDownLatch(1);

    @AfterEach
    void release() {
        goOn.countDown();
    }

    @Test
    void acceptWhenEpochChangesThenRevokedAndGranted() {
        try (LeadershipEvents events = new LeadershipEvents("n1", heard::add)) {
            Consumer<OptionalLong> leadership = events.open();
            leadership.accept(OptionalLong.of(3));
            Patience.until(() -> heard.size() == 1);
            leadership.accept(OptionalLong.of(5));
            Patience.until(() -> heard.size() == 3);
            leadership.accept(OptionalLong.empty());
            Patience.until(() -> heard.size() == 4);
        }

        assertThat(heard)
                .containsExactly(
                        new LeadershipGrantedEvent("n1", 3),
                        new LeadershipRevokedEvent("n1", 3),
                        new LeadershipGrantedEvent("n1", 5),
                        new LeadershipRevokedEvent("n1", 5));
    }

    @Test
    void acceptWhenNothingChangesThenSilent() {
        try (LeadershipEvents events = new LeadershipEvents("n1", heard::add)) {
            Consumer<OptionalLong> leadership = events.open();
            leadership.accept(OptionalLong.empty());
            leadership.accept(OptionalLong.of(3));
            leadership.accept(OptionalLong.of(3));
            Patience.until(() -> heard.size() == 1);
        }

        assertThat(heard).containsExactly(new LeadershipGrantedEvent("n1", 3), new LeadershipRevokedEvent("n1", 3));
    }

    @Test
    void acceptWhenThereWasNoThreadThenPublishedWithTheNext() {
        ScarceThreads threads = new ScarceThreads();
        try (LeadershipEvents events = new LeadershipEvents("n1", heard::add, Patience.LIMIT, threads)) {
            Consumer<OptionalLong> leadership = events.open();
            leadership.accept(OptionalLong.of(3));
            threads.provide();

            leadership.accept(OptionalLong.of(3));

            Patience.until(() -> heard.contains(new LeadershipGrantedEvent("n1", 3)));
        }
    }

    @Test
    void acceptWhenListenerThrowsThenTheNextEventFollows() {
        try (LeadershipEvents events = new LeadershipEvents("n1", event -> {
            heard.add(event);
            throw new AssertionError("a listener fails");
        })) {
            Consumer<OptionalLong> leadership = events.open();
            leadership.accept(OptionalLong.of(3));
            Patience.until(() -> heard.size() == 1);
            leadership.accept(OptionalLong.empty());
            Patience.until(() -> heard.size() == 2);
        }

        assertThat(heard).containsExactly(new LeadershipGrantedEvent("n1", 3), new LeadershipRevokedEvent("n1", 3));
    }

    @Test
    void acceptWhenListenerIsSlowThenChangesAreCombined() {
        try (LeadershipEvents events = new LeadershipEvents("n1", this::hearSlowly)) {
            Consumer<OptionalLong> leadership = events.open();
            leadership.accept(OptionalLong.of(3));
            Patience.await(waiting);
            for (long epoch = 4; epoch < 1000; epoch++) {
                leadership.accept(OptionalLong.empty());
                leadership.accept(OptionalLong.of(epoch));
            }
            goOn.countDown();
            Patience.until(() -> heard.size() == 3);
        }

        assertThat(heard)
                .containsExactly(
                        new LeadershipGrantedEvent("n1", 3),
                        new LeadershipRevokedEvent("n1", 3),
                        new LeadershipGrantedEvent("n1", 999),
                        new LeadershipRevokedEvent("n1", 999));
    }

    @Test
    void closeWhenListenerHangsThenInterruptsIt() {
        LeadershipEvents events = new LeadershipEvents(
                "n1", this::hearSlowly, Duration.ofMillis(1), DaemonThreads.named("credential-leadership-events"));
        Consumer<OptionalLong> leadership = events.open();
        leadership.accept(OptionalLong.of(3));
        Patience.await(waiting);

        events.close();

        LiveThreads.awaitNone("credential-leadership-events");
        assertThat(heard).isEmpty();
    }

    @Test
    void openWhenClosedBeforeThenFormerIsIgnored() {
        LeadershipEvents events = new LeadershipEvents("n1", heard::add);
        Consumer<OptionalLong> former = events.open();
        former.accept(OptionalLong.of(3));
        Patience.until(() -> heard.size() == 1);
        events.close();
        Consumer<OptionalLong> leadership = events.open();
        leadership.accept(OptionalLong.of(3));
        Patience.until(() -> heard.size() == 3);

        former.accept(OptionalLong.of(2));

        events.close();
        assertThat(heard)
                .containsExactly(
                        new LeadershipGrantedEvent("n1", 3),
                        new LeadershipRevokedEvent("n1", 3),
                        new LeadershipGrantedEvent("n1", 3),
                        new LeadershipRevokedEvent("n1", 3));
    }

    private void hearSlowly(Object event) {
        waiting.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        heard.add(event);
    }
}
