package io.credential.webhook.delivery.internal.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** When an endpoint is recorded as failing, reported and paused, and that attempts write nothing in between. */
@BothDatabases
class EndpointFailureMonitorTests extends DispatcherTestBase {

    private static final Duration PAUSE_AFTER = Duration.ofDays(5);

    private final AtomicInteger statements = new AtomicInteger();
    private final EndpointFailureMonitor failures = failures(PAUSE_AFTER);

    EndpointFailureMonitorTests(TestDatabase test) {
        super(test);
        fixture.endpoint("shop", "/shop");
    }

    @Test
    void attemptsWhenEndpointIsHealthyThenNothingIsWritten() {
        for (int i = 0; i < 1000; i++) {
            accept(false);
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
            accept(false);
            fixture.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(statements).hasValue(0);
        assertThat(isRecorded()).isFalse();
    }

    @Test
    void successWhenRecordedHereThenRecordEnds() {
        record();

        accept(false); // as read before the record

        assertThat(isRecorded()).isFalse();
    }

    @Test
    void successWhenRecordedByAnotherNodeThenRecordEnds() {
        record();

        failures(PAUSE_AFTER).attempted("shop", subscriber(true), response(200));

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
        EndpointFailureMonitor restarted = failures(PAUSE_AFTER);

        restarted.attempted("shop", subscriber(true), response(500));
        assertThat(endpoint().pausedAt()).isNull();
        fixture.clock.advance(Duration.ofMinutes(1));
        restarted.attempted("shop", subscriber(true), null);

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
        EndpointFailureMonitor off = failures(Duration.ZERO);
        for (int day = 0; day < 20; day++) {
            off.attempted("shop", subscriber(false), response(500));
            fixture.clock.advance(Duration.ofDays(1));
        }
        assertThat(statements).hasValue(0);

        off.attempted("shop", subscriber(false), response(410));

        assertThat(endpoint().pauseReason()).isEqualTo(PauseReason.GONE);
    }

    @Test
    void successesWhenReadBeforeTheEndThenOneStatement() {
        record();
        statements.set(0);

        for (int i = 0; i < 100; i++) {
            accept(true);
        }

        assertThat(statements).hasValue(1);
        assertThat(isRecorded()).isFalse();
    }

    @Test
    void goneWhenAPauseIsUnderWayThenNotStartedAgain() {
        List<Runnable> waiting = new ArrayList<>();
        EndpointFailureMonitor queued = failures(PAUSE_AFTER, waiting::add);

        for (int i = 0; i < 100; i++) {
            queued.attempted("shop", subscriber(false), response(410));
        }
        assertThat(waiting).hasSize(1);
        waiting.remove(0).run();

        assertThat(endpoint().pauseReason()).isEqualTo(PauseReason.GONE);
    }

    @Test
    void failureWhenASuccessFollowsThenNotPaused() {
        record();
        fixture.clock.advance(PAUSE_AFTER.dividedBy(2));
        fail();
        fixture.clock.advance(PAUSE_AFTER.dividedBy(2));
        List<Runnable> waiting = new ArrayList<>();
        EndpointFailureMonitor queued = failures(PAUSE_AFTER, waiting::add);
        queued.attempted("shop", subscriber(true), null);
        fixture.clock.advance(Duration.ofMinutes(1));
        queued.attempted("shop", subscriber(true), null);

        queued.attempted("shop", subscriber(true), response(200));
        assertThat(waiting).hasSize(2);
        waiting.forEach(Runnable::run);

        assertThat(endpoint().pausedAt()).isNull();
        assertThat(isRecorded()).isFalse();
    }

    @Test
    void goneWhenUrlIsAnotherSinceThenNotPaused() {
        Subscriber attempted = subscriber(false);
        fixture.endpoint("shop", "/another");
        failures.attempted("shop", attempted, response(410));
        assertThat(endpoint().pausedAt()).isNull();

        dispatcher.removeEndpoint("shop");
        fixture.endpoint("shop", "/another");
        failures.attempted("shop", attempted, response(410));

        assertThat(endpoint().pausedAt()).isNull();
    }

    @Test
    void goneWhenResumedSinceThenNotPaused() {
        Subscriber attempted = subscriber(false);
        dispatcher.pauseEndpoint("shop");
        dispatcher.resumeEndpoint("shop");

        failures.attempted("shop", attempted, response(410));

        assertThat(endpoint().pausedAt()).isNull();
    }

    private EndpointFailureMonitor failures(Duration pauseAfter) {
        return failures(pauseAfter, this::run);
    }

    private EndpointFailureMonitor failures(Duration pauseAfter, Executor executor) {
        AuditTrail audit = new AuditTrail(AuditSink.none(), () -> null, fixture.clock, "webhook-endpoint", true, true);
        return new EndpointFailureMonitor(
                fixture.database(),
                fixture.rows.tables,
                new EndpointPauses(
                        fixture.database(),
                        fixture.rows.tables,
                        id -> {},
                        () -> {},
                        OperationalEvents.NONE,
                        fixture.clock,
                        audit),
                pauseAfter,
                executor,
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
        failures.attempted("shop", subscriber(false), response(500));
    }

    private void accept(boolean isKnownToFail) {
        failures.attempted("shop", subscriber(isKnownToFail), response(200));
    }

    private static WebhookResponse response(int status) {
        return new WebhookResponse(status, "", null);
    }

    /** The endpoint as it is registered first. */
    private Subscriber subscriber(boolean failing) {
        return new Subscriber(
                fixture.receiver.url("/shop"),
                SecretCells.of(SignatureScheme.CREDENTIAL, null, "cell"),
                null,
                null,
                PayloadFormat.RAW,
                1,
                false,
                failing,
                null);
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
