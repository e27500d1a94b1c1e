package io.credential.spring.autoconfigure.audit.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class AuditQueueTests {

    private static final int MORE_THAN_FIT = 10_100;

    private final AuditQueue queue = new AuditQueue();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AuditSink sink = queue.inFrontOf(event -> threads.add(Thread.currentThread()));

    @BeforeEach
    void start() {
        queue.start();
    }

    @AfterEach
    void stop() {
        queue.stop();
    }

    private static AuditEvent event(String name) {
        return new AuditEvent(name, AuditEvent.Outcome.SUCCESS, null, null, "api-key", "0011", Instant.EPOCH, Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"apikey.verify", "apikey.redeem", "apikey.authorize", "webhook.verify"})
    void recordWhenOfARequestThenOnTheQueuesThread(String name) {
        sink.record(event(name));
        queue.stop();

        assertThat(threads)
                .singleElement()
                .satisfies(thread -> assertThat(thread.getName()).isEqualTo(AuditQueue.THREAD_NAME));
    }

    @ParameterizedTest
    @ValueSource(strings = {"apikey.issue", "apikey.revoke", "webhook.endpoint.register", "webhook.delivery.dead"})
    void recordWhenOfAChangeThenOnTheCallingThread(String name) {
        sink.record(event(name));

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void inFrontOfWhenThereIsNoSinkThenIsNone() {
        assertThat(queue.inFrontOf(AuditSink.none())).isSameAs(AuditSink.none());
    }

    @Test
    void recordWhenTooManyWaitThenOnTheCallingThread() {
        CountDownLatch stuck = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        List<Thread> recording = new CopyOnWriteArrayList<>();
        AuditSink slow = queue.inFrontOf(event -> {
            if (!Thread.currentThread().equals(caller)) {
                Patience.await(stuck);
            }
            recording.add(Thread.currentThread());
        });

        IntStream.range(0, MORE_THAN_FIT).forEach(i -> slow.record(event("apikey.verify")));

        assertThat(recording).isNotEmpty().containsOnly(caller);
        stuck.countDown();
        queue.stop();
        assertThat(recording).hasSize(MORE_THAN_FIT);
    }

    @Test
    void stopWhenEventsWaitThenRecordedBeforeTheThreadEnds() {
        IntStream.range(0, 100).forEach(i -> sink.record(event("apikey.verify")));

        queue.stop();

        assertThat(threads).hasSize(100);
        Patience.join(threads.get(0));
        assertThat(queue.isRunning()).isFalse();
    }

    @Test
    void recordWhenStoppedThenOnTheCallingThread() {
        queue.stop();

        sink.record(event("apikey.verify"));

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void recordWhenTheLogIsSilentThenNotQueued() {
        List<Thread> before = LiveThreads.named(AuditQueue.THREAD_NAME);

        queue.inFrontOf(new LoggingAuditSink()).record(event("apikey.verify"));

        assertThat(LiveThreads.named(AuditQueue.THREAD_NAME)).isSubsetOf(before);
    }
}
