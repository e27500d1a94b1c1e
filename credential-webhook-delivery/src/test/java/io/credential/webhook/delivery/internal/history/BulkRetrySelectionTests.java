package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.FailureReason;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.ALL;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.ALL_STEPS;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.DEAD_OF_SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which deliveries a job selects, and which of them it then retries or skips. */
@BothDatabases
class BulkRetrySelectionTests {

    private static final Instant NEW_YEAR = DispatcherRows.NEW_YEAR;

    private final BulkRetryJobs jobs;
    private final DispatcherRows rows;
    private final MutableClock clock;
    private final BulkRetries retries;
    private final List<AuditEvent> audited;

    BulkRetrySelectionTests(TestDatabase test) {
        this.jobs = new BulkRetryJobs(test);
        this.rows = jobs.rows;
        this.clock = jobs.clock;
        this.retries = jobs.retries;
        this.audited = jobs.audited;
    }

    @Test
    void createThenRetriesExactlyTheSelection() {
        List<String> selected = jobs.deliveries(5, "shop", DEAD);
        String otherEndpoint = rows.delivery("other", DEAD);
        String otherStatus = rows.delivery("shop", DELIVERED);

        BulkJob started = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(ALL_STEPS);

        assertThat(started)
                .isEqualTo(new BulkJob(started.id(), 0, 0, 0, BulkJobState.SELECTING, clock.instant(), null));
        assertThat(jobs.job(started))
                .isEqualTo(new BulkJob(started.id(), 5, 5, 0, BulkJobState.FINISHED, clock.instant(), clock.instant()));
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(selected).allSatisfy(id -> {
            assertThat(rows.stored(id, "status")).isEqualTo("pending");
            assertThat(rows.stored(id, "attempts")).isEqualTo("0");
            assertThat(rows.stored(id, "dead_at")).isNull();
            assertThat(rows.stored(id, "next_attempt_at"))
                    .isEqualTo(String.valueOf(clock.instant().toEpochMilli()));
        });
        assertThat(rows.stored(otherEndpoint, "status")).isEqualTo("dead");
        assertThat(rows.stored(otherStatus, "status")).isEqualTo("delivered");
        assertThat(jobs.items()).isEmpty();
    }

    @Test
    void createWhenNothingMatchesThenFinishes() {
        rows.delivery("shop", DELIVERED);

        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(jobs.retried()).isEmpty();
    }

    @Test
    void countThenChangesNothing() {
        jobs.deliveries(5, "shop", DEAD);
        rows.delivery("shop", IN_FLIGHT);

        assertThat(retries.count(DEAD_OF_SHOP)).isEqualTo(5);
        assertThat(retries.count(ALL)).isEqualTo(5);
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE status = 'dead'"))
                .hasSize(5);
        assertThat(rows.ids("job_id", "{jobs}")).isEmpty();
        assertThat(jobs.items()).isEmpty();
        assertThat(audited).isEmpty();
    }

    @Test
    void countWhenInterruptedThenEnds() {
        jobs.deliveries(3, "shop", DEAD);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> retries.count(DEAD_OF_SHOP));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "DELIVERED", "DEAD"})
    void createWhenStatusCanBeRetriedThenRetries(DeliveryStatus status) {
        String id = rows.delivery("shop", status);
        rows.delivery("shop", status == DEAD ? DELIVERED : DEAD);

        retries.create(ALL.withStatus(status));
        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).containsExactly(id);
    }

    @Test
    void createWhenInFlightThenLeftAlone() {
        String inFlight = rows.delivery("shop", IN_FLIGHT);
        String delivered = rows.delivery("shop", DELIVERED);

        BulkJob job = retries.create(ALL);
        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).containsExactly(delivered);
        assertThat(rows.stored(inFlight, "claim_token")).isEqualTo("7");
        assertThat(jobs.job(job).selected()).isEqualTo(1);
    }

    static Stream<DeliveryQuery> conditions() {
        return Stream.of(
                ALL.withEndpoint("other"),
                ALL.withEventType("order.refunded"),
                ALL.withStatus(DELIVERED),
                ALL.withResponseStatus(503),
                ALL.withReason(FailureReason.HTTP_STATUS),
                ALL.withAudience("customer-7"),
                ALL.withCreatedFrom(NEW_YEAR.plusMillis(5)),
                ALL.withCreatedFrom(NEW_YEAR.plusMillis(4).plusNanos(1)),
                ALL.withCreatedBefore(NEW_YEAR.plusMillis(5)),
                ALL.withCreatedBefore(NEW_YEAR.plusMillis(4).plusNanos(1)),
                ALL.withCreatedFrom(Instant.MIN).withCreatedBefore(Instant.MAX),
                ALL.withIdempotencyKey("paid-1"),
                ALL.withMinAttempts(2));
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void createWhenConditionIsGivenThenSelectsAsTheSearch(DeliveryQuery query) {
        for (int i = 0; i < 10; i++) {
            rows.delivery(rows.event(NEW_YEAR.plusMillis(i)), "shop", DEAD);
        }
        rows.delivery("other", DEAD);
        rows.change(
                rows.delivery("shop", DEAD),
                "response_status = 503, last_reason = 'http-status', audience = 'customer-7', attempts = 2");
        String event = rows.event(NEW_YEAR);
        rows.delivery(event, "shop", DELIVERED);
        rows.sql("UPDATE {events} SET event_type = 'order.refunded', idempotency_key = 'paid-1' WHERE event_id = :id")
                .param("id", event)
                .update();
        Set<String> found = new HashSet<>();
        new DeliverySearch(rows.database, rows.tables)
                .search(query)
                .deliveries()
                .forEach(delivery -> found.add(delivery.deliveryId()));

        BulkJob job = retries.create(query);
        assertThat(retries.count(query)).isEqualTo(found.size());
        retries.continueJobs(ALL_STEPS);

        assertThat(found).isNotEmpty();
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(found);
        assertThat(jobs.job(job).selected()).isEqualTo(found.size());
    }

    static Stream<DeliveryQuery> unusable() {
        return Stream.of(
                ALL.after("0".repeat(32)),
                ALL.withStatus(IN_FLIGHT),
                ALL.withEndpoint("no\0name"),
                ALL.withEventType(""),
                ALL.withAudience("a b"),
                ALL.withEvent("0123"),
                ALL.withIdempotencyKey("\u00e9"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void queryWhenItCannotBeUsedThenRefused(DeliveryQuery query) {
        Stream.<Runnable>of(() -> retries.create(query), () -> retries.count(query))
                .forEach(call -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(call::run)
                        .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code));
        assertThat(rows.ids("job_id", "{jobs}")).isEmpty();
    }

    @Test
    void continueWhenDispatchedAfterTheStartThenNotSelected() {
        String selected = rows.delivery(rows.event(clock.instant()), "shop", DEAD);
        retries.create(DEAD_OF_SHOP);
        clock.advance(Duration.ofMillis(1));
        String later = rows.delivery(rows.event(clock.instant()), "shop", DEAD);

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).containsExactly(selected);
        assertThat(rows.stored(later, "status")).isEqualTo("dead");
    }

    @Test
    void continueWhenQueryEndsLaterThenSelectsNothingNew() {
        retries.create(DEAD_OF_SHOP.withCreatedBefore(clock.instant().plusSeconds(60)));
        clock.advance(Duration.ofMillis(1));
        rows.delivery(rows.event(clock.instant()), "shop", DEAD);

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).isEmpty();
    }

    /** Without being sent again by anybody. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            delivered, "status = 'delivered', delivered_at = 5"
            in-flight, "status = 'in-flight', claim_owner = 'node', claim_token = 8"
            dead, "status = 'dead', dead_at = 5"
            """)
    void continueWhenChangedAfterSelectionThenSkipped(String status, String change) {
        String id = rows.delivery("shop", PENDING);
        BulkJob job = retries.create(ALL);
        jobs.select();
        rows.change(id, change);
        String claim = rows.stored(id, "claim_token");

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job)).returns(1L, BulkJob::done).returns(1L, BulkJob::skipped);
        assertThat(rows.stored(id, "status")).isEqualTo(status);
        assertThat(rows.stored(id, "claim_token")).isEqualTo(claim);
        assertThat(jobs.retried()).isEmpty();
    }

    /** It died again of what another caller has already asked for. */
    @Test
    void continueWhenSentAgainAfterSelectionThenSkipped() {
        String id = rows.delivery("shop", DEAD);
        BulkJob job = retries.create(ALL);
        jobs.select();
        rows.change(id, "redeliveries = redeliveries + 1, dead_at = dead_at + 1");

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job).skipped()).isEqualTo(1);
        assertThat(rows.stored(id, "status")).isEqualTo("dead");
        assertThat(rows.stored(id, "redeliveries")).isEqualTo("1");
    }

    @Test
    void continueWhenPurgedAfterSelectionThenSkipped() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(ALL);
        jobs.select();
        rows.sql("DELETE FROM {deliveries}").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job).skipped()).isEqualTo(1);
        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.FINISHED);
    }

    @Test
    void continueWhenErasedAfterTheSelectionThenSkipped() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(1);
        rows.sql("UPDATE {deliveries} SET erased_at = 1").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job)).returns(BulkJobState.FINISHED, BulkJob::state).returns(1L, BulkJob::skipped);
        assertThat(jobs.retried()).isEmpty();
    }

    @Test
    void continueWhenRemovedByRetentionThenSkipped() {
        String id = rows.delivery("shop", DELIVERED);
        rows.change(id, "delivered_at = 5");
        BulkJob job = retries.create(ALL);
        jobs.select();
        new ExpiredDeliveryRemover(rows.database, rows.tables).removeDeliveredBefore(clock.millis(), () -> false);

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job)).returns(1L, BulkJob::skipped).returns(BulkJobState.FINISHED, BulkJob::state);
        assertThat(rows.ids("delivery_id", "{deliveries}")).isEmpty();
    }

    @Test
    void continueWhenFailedAndPendingAgainThenRetried() {
        String id = rows.delivery("shop", PENDING);
        retries.create(ALL);
        jobs.select();
        rows.change(id, "attempts = 3, next_attempt_at = next_attempt_at + 60000");

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).containsExactly(id);
        assertThat(rows.stored(id, "attempts")).isEqualTo("0");
    }
}
