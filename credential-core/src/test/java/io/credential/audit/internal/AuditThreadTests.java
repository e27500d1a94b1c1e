package io.credential.audit.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AuditThreadTests {

    private static final AuditEvent EVENT = new AuditEvent(
            "apikey.verify", AuditEvent.Outcome.SUCCESS, null, "alice", "api-key", "0011", Instant.EPOCH, Map.of());

    private final AuditThread thread = new AuditThread("audit-of-a-test");
    private final List<String> recorded = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        thread.close();
        MDC.clear();
    }

    @Test
    void recordWhenTheCallerHasAnMdcThenTheSinkSeesIt() {
        MDC.put("request", "r-1");
        thread.record(event -> recorded.add(event.actor() + " " + MDC.get("request")), EVENT);
        MDC.remove("request");
        thread.record(event -> recorded.add(event.actor() + " " + MDC.get("request")), EVENT);
        thread.close();

        assertThat(recorded).containsExactly("alice r-1", "alice null");
    }

    @Test
    void recordWhenTheSinkThrowsThenLaterEventsAreRecorded() {
        thread.record(
                event -> {
                    throw new IllegalStateException("The sink is full");
                },
                EVENT);
        thread.record(event -> recorded.add(Thread.currentThread().getName()), EVENT);
        thread.close();

        assertThat(recorded).containsExactly("audit-of-a-test");
    }

    @Test
    void recordWhenClosedThenRejected() {
        thread.close();

        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> thread.record(event -> recorded.add("late"), EVENT));
        assertThat(thread.rejected()).isOne();
    }

    @Test
    void inFrontOfWhenThereIsNoSinkThenStillNone() {
        assertThat(thread.inFrontOf(AuditSink.none())).isSameAs(AuditSink.none());
    }

    @Test
    void waitingThenDoesNotCountTheEventThatIsRecorded() {
        CountDownLatch recording = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        AuditSink slow = event -> {
            recording.countDown();
            Patience.await(stuck);
        };
        thread.record(slow, EVENT);
        thread.record(slow, EVENT);
        Patience.await(recording);

        assertThat(thread.waiting()).isOne();
        stuck.countDown();
    }
}
