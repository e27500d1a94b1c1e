package io.credential.audit.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.audit.AuditSink;
import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class AuditTrailTests {

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> events = new ArrayList<>();
    private String actor = "alice";

    @AutoClose
    private final CapturedLog lost = CapturedLog.of(LostEvents.class);

    @Test
    void successWhenEffectiveThenReportedAsOfTheCall() {
        Instant called = clock.instant();
        Runnable takenEffect = trail(events::add, true, true).successReport("apikey.issue", "id-1", Map.of("n", 1));
        actor = "bob";
        clock.advance(Duration.ofMinutes(1));
        assertThat(events).isEmpty();

        takenEffect.run();

        assertThat(events)
                .containsExactly(new AuditEvent(
                        "apikey.issue", Outcome.SUCCESS, null, "alice", "api-key", "id-1", called, Map.of("n", 1)));
    }

    @Test
    void failureThenReportedAtOnceWithItsReason() {
        trail(events::add, true, true).failure("apikey.verify", "revoked", "id-1", Map.of());

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(Outcome.FAILURE);
            assertThat(event.reason()).isEqualTo("revoked");
        });
    }

    @Test
    void switchWhenOffThenSilencesItsOwnOutcomeOnly() {
        AuditTrail failuresOnly = trail(events::add, false, true);
        failuresOnly.successReport("a", null, Map.of()).run();
        failuresOnly.failure("b", "why", null, Map.of());
        AuditTrail successesOnly = trail(events::add, true, false);
        successesOnly.successReport("c", null, Map.of()).run();
        successesOnly.failure("d", "why", null, Map.of());

        assertThat(events).extracting(AuditEvent::name).containsExactly("b", "c");
    }

    @Test
    void successWhenThereIsNoSinkThenNoEventIsCreated() {
        trail(AuditSink.none(), true, true)
                .successReport("a", null, () -> {
                    throw new AssertionError("The attributes are not needed");
                })
                .run();
    }

    @Test
    void sinkWhenItThrowsThenCountedAndContained() {
        AuditTrail trail = trail(
                event -> {
                    throw new IllegalStateException("full");
                },
                true,
                true);

        assertThatCode(() -> {
                    trail.successReport("a", null, Map.of()).run();
                    trail.failure("b", "why", null, Map.of());
                })
                .doesNotThrowAnyException();
        assertThat(lost.lines(Level.WARN))
                .hasSize(2)
                .last()
                .asString()
                .contains("The audit event b was lost, 2 so far");
    }

    @Test
    void errorWhenFromSinkOrActorThenCountedAndContained() {
        AuditTrail trail = new AuditTrail(
                event -> {
                    throw new NoClassDefFoundError("missing");
                },
                () -> actor,
                clock,
                "api-key",
                true,
                true);
        AuditTrail endless = trail(
                event -> {
                    throw new StackOverflowError();
                },
                true,
                true);
        AuditTrail nobody = new AuditTrail(
                events::add,
                () -> {
                    throw new IllegalStateException("who?");
                },
                clock,
                "api-key",
                true,
                true);

        trail.failure("a", "why", null, Map.of());
        nobody.successReport("b", null, Map.of()).run();
        endless.successReport("c", null, Map.of()).run();

        assertThat(lost.lines(Level.WARN))
                .satisfiesExactly(
                        first -> assertThat(first).contains("The audit event a was lost, 1 so far"),
                        second -> assertThat(second).contains("The audit event b was lost, 1 so far"),
                        third -> assertThat(third).contains("The audit event c was lost, 1 so far"));
    }

    @Test
    void rejectionWhenRepeatedThenFirstAtOnceAndRestCounted() {
        AuditTrail trail = trail(events::add, true, true);

        for (int i = 0; i < 1000; i++) {
            trail.rejection("apikey.verify", "revoked", "id-" + i, Map.of("n", i, "verifier", "partner"));
        }
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.resourceId()).isEqualTo("id-0");
            assertThat(event.actor()).isEqualTo("alice");
        });
        trail.reportRejections();
        assertThat(events).hasSize(1);
        clock.advance(AuditTrail.REJECTION_INTERVAL);
        trail.reportRejections();

        assertThat(events).hasSize(2).last().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("revoked");
            assertThat(event.actor()).isNull();
            assertThat(event.resourceId()).isNull();
            assertThat(event.attributes())
                    .containsEntry("count", 999L)
                    .containsEntry("verifier", "partner")
                    .doesNotContainKey("n")
                    .hasEntrySatisfying("ids", ids -> assertThat((List<?>) ids).hasSize(10));
        });
    }

    @Test
    void rejectionWhenRareThenEachIsReported() {
        AuditTrail trail = trail(events::add, true, true);

        for (int i = 0; i < 3; i++) {
            trail.rejection("apikey.verify", "revoked", "id-" + i, Map.of());
            clock.advance(AuditTrail.REJECTION_INTERVAL);
        }

        assertThat(events).extracting(AuditEvent::resourceId).containsExactly("id-0", "id-1", "id-2");
    }

    @Test
    void rejectionWhenIntervalIsOverThenNextBringsTheCount() {
        AuditTrail trail = trail(events::add, true, true);
        trail.rejection("apikey.verify", "revoked", null, Map.of());
        trail.rejection("apikey.verify", "revoked", null, Map.of());
        clock.advance(AuditTrail.REJECTION_INTERVAL);

        trail.rejection("apikey.verify", "revoked", null, Map.of());
        trail.rejection("apikey.verify", "revoked", null, Map.of());

        assertThat(events)
                .hasSize(2)
                .last()
                .satisfies(event -> assertThat(event.attributes()).isEqualTo(Map.of("count", 2L)));
    }

    @Test
    void rejectionWhenReasonsAreMadeUpThenNumberIsBounded() {
        AuditTrail trail = trail(events::add, true, true);

        for (int i = 0; i < 10_000; i++) {
            trail.rejection("apikey.verify", "reason-" + i, null, Map.of());
        }

        assertThat(events)
                .hasSize(65)
                .last()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("other"));
        trail.reportAllRejections();
        assertThat(events).hasSize(66);
    }

    @Test
    void rejectionWhenTheClockIsSetBackThenIsNotSilenced() {
        AuditTrail trail = trail(events::add, true, true);
        trail.rejection("apikey.verify", "revoked", "id-1", Map.of());
        clock.advance(Duration.ofDays(-1));

        trail.rejection("apikey.verify", "revoked", "id-2", Map.of());

        assertThat(events).extracting(AuditEvent::resourceId).containsExactly("id-1", "id-2");
    }

    @Test
    void rejectionWhenFailuresAreSilencedThenNotCounted() {
        AuditTrail trail = trail(events::add, true, false);
        trail.rejection("apikey.verify", "revoked", null, Map.of());
        trail.rejection("apikey.verify", "revoked", null, Map.of());

        trail.reportAllRejections();

        assertThat(events).isEmpty();
    }

    private AuditTrail trail(AuditSink sink, boolean success, boolean failures) {
        return new AuditTrail(sink, () -> actor, clock, "api-key", success, failures);
    }
}
