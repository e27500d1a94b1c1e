package io.credential.webhook.delivery.endpoint;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditSink;
import io.credential.audit.AuditTrail;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.queue.AttemptLog;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Settlement;

import static org.assertj.core.api.Assertions.assertThat;

/** When an endpoint is recorded as failing, reported and paused, and that attempts write nothing in between. */
@BothDatabases
class EndpointHealthTests extends DispatcherTestBase {

    private static final Duration PAUSE_AFTER = Duration.ofDays(5);

    private final AtomicInteger statements = new AtomicInteger();
    private final EndpointHealth health = health(PAUSE_AFTER);

    EndpointHealthTests(TestDatabase test) {
        super(test);
        fixture.endpoint("shop", "/shop");
    }

    @Test
    void attemptsWhenEndpointIsHealthyThenNothingIsWritten() {
        for (int i = 0; i < 1000; i++) {
            health.attempted(accepted(), false, this::run);
        }

        assertThat(statements).hasValue(0);
    }

    @Test
    void attemptsWhenEndpointFailsThenReviewedOncePerMinute() {
        for (int second = 0; second <= 120; second++) {
            fail();
            fail();
            fixture.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(statements).hasValue(2);
    }

    @Test
    void attemptsWhenEndpointAlternatesThenNotRecorded() {
        for (int second = 0; second < 120; second++) {
            fail();
            health.attempted(accepted(), false, this::run);
            fixture.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(statements).hasValue(0);
        assertThat(isRecorded()).isFalse();
    }

    @Test
    void successWhenRecordedHereThenRecordEnds() {
        record();

        health.attempted(accepted(), false, this::run); // as read before the record

        assertThat(isRecorded()).isFalse();
    }

    @Test
    void successWhenRecordedByAnotherNodeThenRecordEnds() {
        record();

        health(PAUSE_AFTER).attempted(accepted(), true, this::run);

        assertThat(isRecorded()).isFalse();
    }

    @Test
    void failureWhenReportedTooLateThenNotPaused() {
        record();
        fixture.clock.advance(PAUSE_AFTER.multipliedBy(2));
        fail();
        fail();
        fixture.clock.advance(PAUSE_AFTER.dividedBy(2).minusMillis(1));
        fail();
        assertThat(endpoint().pausedAt()).isNull();

        fixture.clock.advance(Duration.ofMinutes(1));
        fail();

        assertThat(endpoint().pauseReason()).isEqualTo(PauseReason.FAILING);
    }

    @Test
    void failureWhenNodeHasRestartedThenTheRecordCounts() {
        record();
        fixture.clock.advance(PAUSE_AFTER.dividedBy(2));
        fail();
        fixture.clock.advance(PAUSE_AFTER.dividedBy(2));
        EndpointHealth restarted = health(PAUSE_AFTER);

        restarted.attempted(failed(500), true, this::run);
        assertThat(endpoint().pausedAt()).isNull();
        fixture.clock.advance(Duration.ofMinutes(1));
        restarted.attempted(failed(null), true, this::run);

        assertThat(endpoint().pauseReason()).isEqualTo(PauseReason.FAILING);
    }

    @Test
    void failureWhenResumedThenCountsAnew() {
        record();
        dispatcher.pauseEndpoint("shop");

        dispatcher.resumeEndpoint("shop");

        assertThat(isRecorded()).isFalse();
    }

    @Test
    void registerWhenUrlIsAnotherThenCountsAnew() {
        record();
        fixture.endpoint("shop", "/shop");
        assertThat(isRecorded()).isTrue();

        fixture.endpoint("shop", "/another");

        assertThat(isRecorded()).isFalse();
    }

    @Test
    void failureWhenTurnedOffThenOnlyGonePauses() {
        EndpointHealth off = health(Duration.ZERO);
        for (int day = 0; day < 20; day++) {
            off.attempted(failed(500), false, this::run);
            fixture.clock.advance(Duration.ofDays(1));
        }
        assertThat(statements).hasValue(0);

        off.attempted(failed(410), false, this::run);

        assertThat(endpoint().pauseReason()).isEqualTo(PauseReason.GONE);
    }

    private EndpointHealth health(Duration pauseAfter) {
        AuditTrail audit = new AuditTrail(AuditSink.none(), () -> null, fixture.clock, "webhook-endpoint", true, true);
        return new EndpointHealth(
                fixture.database(),
                fixture.rows.tables,
                new EndpointPauses(fixture.database(), fixture.rows.tables, id -> {}, fixture.clock, audit),
                pauseAfter,
                fixture.clock,
                audit);
    }

    private void run(Runnable statement) {
        statements.incrementAndGet();
        statement.run();
    }

    /** Has the endpoint recorded as failing. */
    private void record() {
        fail();
        fixture.clock.advance(Duration.ofMinutes(1));
        fail();
        assertThat(isRecorded()).isTrue();
    }

    private void fail() {
        health.attempted(failed(500), false, this::run);
    }

    private static Settlement accepted() {
        return Settlement.delivered(delivery(), 0, new AttemptLog(0, 1, null, 200, null, null));
    }

    private static Settlement failed(@Nullable Integer status) {
        return Settlement.failed(delivery(), 0, new AttemptLog(0, 1, null, status, "failed", null));
    }

    private static ClaimedDelivery delivery() {
        Claim claim = new Claim(1, "owner", 0, 0);
        return new ClaimedDelivery("delivery", "event", "shop", "e", 1, 0, 0, 0, claim, false, null, null, 0, null);
    }

    private boolean isRecorded() {
        return fixture.rows
                        .sql("SELECT count(failing_since) FROM {endpoints}")
                        .query(Integer.class)
                        .single()
                == 1;
    }

    private Endpoint endpoint() {
        return dispatcher.listEndpoints().get(0);
    }
}
