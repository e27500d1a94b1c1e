package io.credential.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent.Outcome;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class AuditTrailTests {

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> events = new ArrayList<>();
    private String actor = "alice";

    @Test
    void aSuccessIsReportedWhenItHasTakenEffectWithTheActorAndTheTimeOfTheCall() {
        Instant called = clock.instant();
        Runnable takenEffect = trail(events::add, true, true).success("apikey.issue", "id-1", Map.of("n", 1));
        actor = "bob";
        clock.advance(Duration.ofMinutes(1));
        assertThat(events).isEmpty();

        takenEffect.run();

        assertThat(events)
                .containsExactly(new AuditEvent(
                        "apikey.issue", Outcome.SUCCESS, null, "alice", "api-key", "id-1", called, Map.of("n", 1)));
    }

    @Test
    void aFailureIsReportedAtOnceWithItsReason() {
        trail(events::add, true, true).failure("apikey.verify", "revoked", "id-1", Map.of());

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(Outcome.FAILURE);
            assertThat(event.reason()).isEqualTo("revoked");
        });
    }

    @Test
    void eachSwitchSilencesItsOwnOutcomeOnly() {
        AuditTrail failuresOnly = trail(events::add, false, true);
        failuresOnly.success("a", null, Map.of()).run();
        failuresOnly.failure("b", "why", null, Map.of());
        AuditTrail successesOnly = trail(events::add, true, false);
        successesOnly.success("c", null, Map.of()).run();
        successesOnly.failure("d", "why", null, Map.of());

        assertThat(events).extracting(AuditEvent::name).containsExactly("b", "c");
    }

    @Test
    void whatTheSinkThrowsIsCountedAndGoesNoFurther() {
        AuditTrail trail = trail(
                event -> {
                    throw new IllegalStateException("full");
                },
                true,
                true);

        assertThatCode(() -> {
                    trail.success("a", null, Map.of()).run();
                    trail.failure("b", "why", null, Map.of());
                })
                .doesNotThrowAnyException();
        assertThat(trail.sinkFailures()).isEqualTo(2);
    }

    @Test
    void anErrorOfTheSinkAndOfTheActorGoNoFurtherEither() {
        AuditTrail trail = new AuditTrail(
                event -> {
                    throw new NoClassDefFoundError("missing");
                },
                () -> actor,
                clock,
                "api-key",
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
        nobody.success("b", null, Map.of()).run();

        assertThat(trail.sinkFailures()).isEqualTo(1);
        assertThat(nobody.sinkFailures()).isEqualTo(1);
    }

    private AuditTrail trail(AuditSink sink, boolean success, boolean failures) {
        return new AuditTrail(sink, () -> actor, clock, "api-key", success, failures);
    }
}
