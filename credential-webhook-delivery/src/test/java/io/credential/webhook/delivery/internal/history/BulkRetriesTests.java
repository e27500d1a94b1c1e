package io.credential.webhook.delivery.internal.history;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;
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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Jobs that select pages of two deliveries and retry batches of two. */
@BothDatabases
class BulkRetriesTests {

    private static final int ALL_STEPS = 1000;
    private static final Instant NEW_YEAR = DispatcherRows.NEW_YEAR;
    private static final RowMac MACS = new RowMac(Keyring.generate(new SecureRandom()));
    private static final DeliveryQuery ALL = DeliveryQuery.all();
    private static final DeliveryQuery DEAD_OF_SHOP = ALL.withEndpoint("shop").withStatus(DEAD);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final DispatcherRows rows;
    private final MutableClock clock = new MutableClock(NEW_YEAR.plus(Duration.ofDays(1)));
    private final List<AuditEvent> audited = new ArrayList<>();
    private final BulkRetries retries;
    private final BulkRetries otherNode;

    BulkRetriesTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.retries = node();
        this.otherNode = node();
    }

    private BulkRetries node() {
        return node(() -> {});
    }

    private BulkRetries node(Runnable onRetried) {
        return node(onRetried, () -> "operator");
    }

    private BulkRetries node(Runnable onRetried, Supplier<@Nullable String> actor) {
        AuditTrail audit = new AuditTrail(audited::add, () -> null, clock, "webhook-job", true, true);
        return new BulkRetries(rows.context(clock), MACS, onRetried, new BulkRetryAudit(audit, actor), 2, 2);
    }

    @AfterEach
    void removeFault() {
        mendJobs();
    }

    @Test
    void createThenRetriesExactlyTheSelection() {
        List<String> selected = deliveries(5, "shop", DEAD);
        String otherEndpoint = rows.delivery("other", DEAD);
        String otherStatus = rows.delivery("shop", DELIVERED);

        BulkJob started = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(ALL_STEPS);

        assertThat(started)
                .isEqualTo(new BulkJob(started.id(), 0, 0, 0, BulkJobState.SELECTING, clock.instant(), null));
        assertThat(job(started))
                .isEqualTo(new BulkJob(started.id(), 5, 5, 0, BulkJobState.FINISHED, clock.instant(), clock.instant()));
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(selected).allSatisfy(id -> {
            assertThat(rows.stored(id, "status")).isEqualTo("pending");
            assertThat(rows.stored(id, "attempts")).isEqualTo("0");
            assertThat(rows.stored(id, "dead_at")).isNull();
            assertThat(rows.stored(id, "next_attempt_at"))
                    .isEqualTo(String.valueOf(clock.instant().toEpochMilli()));
        });
        assertThat(rows.stored(otherEndpoint, "status")).isEqualTo("dead");
        assertThat(rows.stored(otherStatus, "status")).isEqualTo("delivered");
        assertThat(items()).isEmpty();
    }

    @Test
    void createWhenNothingMatchesThenFinishes() {
        rows.delivery("shop", DELIVERED);

        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(ALL_STEPS);

        assertThat(job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(retried()).isEmpty();
    }

    @Test
    void countThenChangesNothing() {
        deliveries(5, "shop", DEAD);
        rows.delivery("shop", IN_FLIGHT);

        assertThat(retries.count(DEAD_OF_SHOP)).isEqualTo(5);
        assertThat(retries.count(ALL)).isEqualTo(5);
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE status = 'dead'"))
                .hasSize(5);
        assertThat(rows.ids("job_id", "{jobs}")).isEmpty();
        assertThat(items()).isEmpty();
        assertThat(audited).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "DELIVERED", "DEAD"})
    void createWhenStatusCanBeRetriedThenRetries(DeliveryStatus status) {
        String id = rows.delivery("shop", status);
        rows.delivery("shop", status == DEAD ? DELIVERED : DEAD);

        retries.create(ALL.withStatus(status));
        retries.continueJobs(ALL_STEPS);

        assertThat(retried()).containsExactly(id);
    }

    @Test
    void createWhenInFlightThenLeftAlone() {
        String inFlight = rows.delivery("shop", IN_FLIGHT);
        String delivered = rows.delivery("shop", DELIVERED);

        BulkJob job = retries.create(ALL);
        retries.continueJobs(ALL_STEPS);

        assertThat(retried()).containsExactly(delivered);
        assertThat(rows.stored(inFlight, "claim_token")).isEqualTo("7");
        assertThat(job(job).selected()).isEqualTo(1);
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
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(found);
        assertThat(job(job).selected()).isEqualTo(found.size());
    }

    @Test
    void continueWhenDispatchedAfterTheStartThenNotSelected() {
        String selected = rows.delivery(rows.event(clock.instant()), "shop", DEAD);
        retries.create(DEAD_OF_SHOP);
        clock.advance(Duration.ofMillis(1));
        String later = rows.delivery(rows.event(clock.instant()), "shop", DEAD);

        retries.continueJobs(ALL_STEPS);

        assertThat(retried()).containsExactly(selected);
        assertThat(rows.stored(later, "status")).isEqualTo("dead");
    }

    @Test
    void continueWhenQueryEndsLaterThenSelectsNothingNew() {
        retries.create(DEAD_OF_SHOP.withCreatedBefore(clock.instant().plusSeconds(60)));
        clock.advance(Duration.ofMillis(1));
        rows.delivery(rows.event(clock.instant()), "shop", DEAD);

        retries.continueJobs(ALL_STEPS);

        assertThat(retried()).isEmpty();
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
        select();
        rows.change(id, change);
        String claim = rows.stored(id, "claim_token");

        retries.continueJobs(ALL_STEPS);

        assertThat(job(job)).returns(1L, BulkJob::done).returns(1L, BulkJob::skipped);
        assertThat(rows.stored(id, "status")).isEqualTo(status);
        assertThat(rows.stored(id, "claim_token")).isEqualTo(claim);
        assertThat(retried()).isEmpty();
    }

    /** It died again of what another caller has already asked for. */
    @Test
    void continueWhenSentAgainAfterSelectionThenSkipped() {
        String id = rows.delivery("shop", DEAD);
        BulkJob job = retries.create(ALL);
        select();
        rows.change(id, "redeliveries = redeliveries + 1, dead_at = dead_at + 1");

        retries.continueJobs(ALL_STEPS);

        assertThat(job(job).skipped()).isEqualTo(1);
        assertThat(rows.stored(id, "status")).isEqualTo("dead");
        assertThat(rows.stored(id, "redeliveries")).isEqualTo("1");
    }

    @Test
    void continueWhenPurgedAfterSelectionThenSkipped() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(ALL);
        select();
        rows.sql("DELETE FROM {deliveries}").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(job(job).skipped()).isEqualTo(1);
        assertThat(job(job).state()).isEqualTo(BulkJobState.FINISHED);
    }

    @Test
    void continueWhenNodeStopsAnywhereThenAnotherGoesOn() {
        List<String> selected = deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        List<BulkJob> progress = new ArrayList<>();

        while (job(job).state() != BulkJobState.FINISHED) {
            node().continueJobs(1);
            progress.add(job(job));
        }

        assertThat(progress).extracting(BulkJob::selected).containsExactly(2L, 4L, 5L, 5L, 5L, 5L);
        assertThat(progress).extracting(BulkJob::done).containsExactly(0L, 0L, 0L, 2L, 4L, 5L);
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void selectWhenProgressIsNotStoredThenNorIsThePage() {
        List<String> selected = deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        breakJobs();

        retries.continueJobs(1);
        assertThat(items()).isEmpty();

        mendJobs();
        otherNode.continueJobs(ALL_STEPS);
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(job(job).selected()).isEqualTo(3);
    }

    @Test
    void retryWhenProgressIsNotStoredThenNothingIsRetried() {
        List<String> selected = deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        select();
        breakJobs();

        retries.continueJobs(1);
        assertThat(retried()).isEmpty();
        assertThat(items()).hasSize(3);

        mendJobs();
        otherNode.continueJobs(ALL_STEPS);
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(job(job).skipped()).isZero();
    }

    @RepeatedTest(3)
    void continueWhenNodesDoSoAtOnceThenEachIsRetriedOnce() {
        List<String> selected = deliveries(30, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        Queue<BulkRetries> nodes = new ConcurrentLinkedQueue<>(List.of(retries, otherNode));

        InParallel.run(2, () -> {
            nodes.remove().continueJobs(ALL_STEPS);
            return null;
        });
        retries.continueJobs(ALL_STEPS); // each may have found the job locked by the other

        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE redeliveries > 1"))
                .isEmpty();
        assertThat(job(job)).returns(30L, BulkJob::done).returns(0L, BulkJob::skipped);
    }

    @Test
    void continueWhenAnotherNodeHasTheJobThenTakesTheNext() throws Exception {
        assumeThat(rows.database.dialect())
                .as("SQLite has one writer at a time")
                .isEqualTo(SqlDialect.POSTGRESQL);
        rows.delivery("shop", DEAD);
        BulkJob first = retries.create(DEAD_OF_SHOP);
        clock.advance(Duration.ofMillis(1));
        BulkJob second = retries.create(ALL.withEndpoint("other"));

        whileHolding(
                () -> assertThat(new BulkJobStore(rows.database, rows.tables, MACS).lockOpen(first.id()))
                        .isPresent(),
                () -> otherNode.continueJobs(ALL_STEPS));

        assertThat(job(first).state()).isEqualTo(BulkJobState.SELECTING);
        assertThat(job(second).state()).isEqualTo(BulkJobState.FINISHED);
    }

    @Test
    void continueWhenErasedAfterTheSelectionThenSkipped() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(1);
        rows.sql("UPDATE {deliveries} SET erased_at = 1").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(job(job)).returns(BulkJobState.FINISHED, BulkJob::state).returns(1L, BulkJob::skipped);
        assertThat(retried()).isEmpty();
    }

    @Test
    void continueWhenStatusOfQueryIsUnknownThenFails() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        rows.sql("UPDATE {jobs} SET delivery_status = 'of-a-newer-version'").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(rows.ids("job_id", "{jobs} WHERE state = 'selecting' AND selected = 0"))
                .containsExactly(job.id());
        assertThat(retried()).isEmpty();
    }

    @Test
    void continueWhenAJobFailsThenOthersContinue() {
        String id = rows.delivery("shop", DEAD);
        BulkJob broken = retries.create(DEAD_OF_SHOP);
        clock.advance(Duration.ofMillis(1));
        BulkJob other = retries.create(DEAD_OF_SHOP);
        rows.sql("UPDATE {jobs} SET delivery_status = 'unknown' WHERE job_id = :id")
                .param("id", broken.id())
                .update();
        try (CapturedLog log = CapturedLog.of(FailingJobs.class)) {
            retries.continueJobs(ALL_STEPS);
            retries.continueJobs(ALL_STEPS);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(broken.id())
                    .doesNotContain(other.id());
        }
        assertThat(retried()).containsExactly(id);
        assertThat(job(other).state()).isEqualTo(BulkJobState.FINISHED);

        rows.sql("UPDATE {jobs} SET delivery_status = 'dead'").update();
        retries.continueJobs(ALL_STEPS);
        assertThat(job(broken).state()).isEqualTo(BulkJobState.FINISHED);
    }

    @Test
    void lockThenEndsIfTheTransactionIsIdle() {
        assumeThat(rows.database.dialect())
                .as("SQLite has no connections that are cut off")
                .isEqualTo(SqlDialect.POSTGRESQL);
        BulkJob job = retries.create(ALL);

        String limit = rows.database.inTransaction(() -> {
            assertThat(new BulkJobStore(rows.database, rows.tables, MACS).lockOpen(job.id()))
                    .isPresent();
            return rows.sql("SHOW idle_in_transaction_session_timeout")
                    .query(String.class)
                    .single();
        });

        assertThat(limit).isEqualTo("10s");
    }

    @Test
    void continueWhenDeliveryIsLockedThenRetriesItLater() throws Exception {
        assumeThat(rows.database.dialect())
                .as("SQLite has one writer at a time")
                .isEqualTo(SqlDialect.POSTGRESQL);
        List<String> selected = deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        select();
        String held = Collections.min(selected);

        whileHolding(() -> rows.change(held, "redeliveries = redeliveries"), () -> {
            otherNode.continueJobs(ALL_STEPS);
            assertThat(job(job)).returns(4L, BulkJob::done).returns(BulkJobState.RETRYING, BulkJob::state);
            assertThat(items()).containsExactly(held);
        });
        otherNode.continueJobs(ALL_STEPS);

        assertThat(job(job)).returns(5L, BulkJob::done).returns(0L, BulkJob::skipped);
        assertThat(job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void continueWhenFailedAndPendingAgainThenRetried() {
        String id = rows.delivery("shop", PENDING);
        retries.create(ALL);
        select();
        rows.change(id, "attempts = 3, next_attempt_at = next_attempt_at + 60000");

        retries.continueJobs(ALL_STEPS);

        assertThat(retried()).containsExactly(id);
        assertThat(rows.stored(id, "attempts")).isEqualTo("0");
    }

    @Test
    void continueWhenRemovedByRetentionThenSkipped() {
        String id = rows.delivery("shop", DELIVERED);
        rows.change(id, "delivered_at = 5");
        BulkJob job = retries.create(ALL);
        select();
        new ExpiredDeliveryRemover(rows.database, rows.tables).removeDeliveredBefore(clock.millis(), () -> false);

        retries.continueJobs(ALL_STEPS);

        assertThat(job(job)).returns(1L, BulkJob::skipped).returns(BulkJobState.FINISHED, BulkJob::state);
        assertThat(rows.ids("delivery_id", "{deliveries}")).isEmpty();
    }

    @Test
    void continueWhenStoppedThenDoesNothing() {
        deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);

        retries.stop();
        retries.continueJobs();

        assertThat(job(job)).isEqualTo(job);
    }

    @Test
    void continueWhenStoppedMeanwhileThenEndsAfterTheStep() {
        deliveries(5, "shop", DEAD);
        BulkJob job = otherNode.create(DEAD_OF_SHOP);
        AtomicReference<BulkRetries> stopping = new AtomicReference<>();
        BulkRetries node = node(() -> stopping.get().stop());
        stopping.set(node);

        node.continueJobs();

        assertThat(job(job)).returns(2L, BulkJob::done).returns(BulkJobState.RETRYING, BulkJob::state);
    }

    @Test
    void countWhenInterruptedThenEnds() {
        deliveries(3, "shop", DEAD);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> retries.count(DEAD_OF_SHOP));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void createWhenActorIsUnknownThenStarts() {
        rows.delivery("shop", DEAD);
        BulkRetries node = node(() -> {}, () -> {
            throw new IllegalStateException("no session");
        });

        BulkJob job = node.create(DEAD_OF_SHOP);
        node.continueJobs(ALL_STEPS);

        assertThat(job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(audited.get(1).attributes()).doesNotContainKey("startedBy");
    }

    @Test
    void createWhenActorHoldsATokenThenStoredMasked() {
        BulkRetries node = node(() -> {}, () -> "bk_live_0011223344556677_" + "0123456789abcdef".repeat(4) + "\0");

        node.create(DEAD_OF_SHOP);

        assertThat(rows.ids("started_by", "{jobs}")).containsExactly("bk_live_0011223344556677_***\ufffd");
    }

    @Test
    void createWhenCallerRollsBackThenThereIsNoJob() {
        rows.delivery("shop", DEAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    retries.create(DEAD_OF_SHOP);
                    throw new IllegalStateException("The caller changed its mind");
                }));
        retries.continueJobs(ALL_STEPS);

        assertThat(rows.ids("job_id", "{jobs}")).isEmpty();
        assertThat(retried()).isEmpty();
        assertThat(audited).isEmpty();
    }

    @Test
    void jobThenIsAuditedAtItsStartAndItsEnd() {
        deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        select();
        rows.change(rows.ids("delivery_id", "{deliveries}").get(0), "redeliveries = 9");
        retries.continueJobs(ALL_STEPS);

        String createdBefore = clock.instant().plusMillis(1).toString();
        assertThat(audited)
                .extracting(AuditEvent::name)
                .containsExactly("webhook.bulk-retry.start", "webhook.bulk-retry.finish");
        assertThat(audited).extracting(AuditEvent::resourceId).containsOnly(job.id());
        assertThat(audited.get(0).attributes())
                .isEqualTo(Map.of("endpointId", "shop", "status", "dead", "createdBefore", createdBefore));
        assertThat(audited.get(1).attributes())
                .isEqualTo(Map.of(
                        "endpointId",
                        "shop",
                        "status",
                        "dead",
                        "createdBefore",
                        createdBefore,
                        "startedBy",
                        "operator",
                        "selected",
                        3L,
                        "retried",
                        2L,
                        "skipped",
                        1L));
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
    void findWhenUnknownThenEmpty() {
        for (String id : List.of("0".repeat(32), "", "no\0id", "A".repeat(32), "0".repeat(5000))) {
            assertThat(retries.find(id)).isEmpty();
        }
    }

    @Test
    void removeThenRemovesOnlyWhatFinishedBefore() {
        BulkJob finished = retries.create(ALL);
        retries.continueJobs(ALL_STEPS);
        BulkJob open = retries.create(ALL);
        long now = clock.millis();

        retries.removeFinishedBefore(now);
        assertThat(retries.find(finished.id())).isPresent();

        retries.removeFinishedBefore(now + 1);
        assertThat(retries.find(finished.id())).isEmpty();
        assertThat(retries.find(open.id())).isPresent();
    }

    private List<String> deliveries(int count, String endpointId, DeliveryStatus status) {
        return Stream.generate(() -> rows.delivery(endpointId, status))
                .limit(count)
                .toList();
    }

    /** Continues the only job until it has selected everything. */
    private void select() {
        while (!rows.ids("job_id", "{jobs} WHERE state = 'selecting'").isEmpty()) {
            retries.continueJobs(1);
        }
    }

    private BulkJob job(BulkJob job) {
        return retries.find(job.id()).orElseThrow();
    }

    private List<String> items() {
        return rows.ids("delivery_id", "{job_items}");
    }

    private List<String> retried() {
        return rows.ids("delivery_id", "{deliveries} WHERE redeliveries = 1 AND status = 'pending'");
    }

    /** Does the work while another transaction holds the locks that it has taken. */
    private void whileHolding(Runnable lock, Runnable work) throws ExecutionException {
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch worked = new CountDownLatch(1);
        CompletableFuture<Boolean> holding = CompletableFuture.supplyAsync(
                () -> rows.database.inTransaction(() -> {
                    lock.run();
                    locked.countDown();
                    Patience.await(worked);
                    return true;
                }),
                threads);
        Patience.await(locked);
        work.run();
        worked.countDown();
        Patience.get(holding);
    }

    /** From now on, the progress of a job cannot be stored. */
    private void breakJobs() {
        if (rows.database.dialect() == SqlDialect.POSTGRESQL) {
            rows.sql("""
                            CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql
                            AS 'BEGIN RAISE EXCEPTION ''no change''; END'""").update();
            rows.sql("CREATE TRIGGER failing BEFORE UPDATE ON {jobs} FOR EACH ROW EXECUTE FUNCTION failing()")
                    .update();
        } else {
            rows.sql("CREATE TRIGGER failing BEFORE UPDATE ON {jobs} BEGIN SELECT RAISE(ABORT, 'no change'); END")
                    .update();
        }
    }

    private void mendJobs() {
        boolean postgresql = rows.database.dialect() == SqlDialect.POSTGRESQL;
        rows.sql("DROP TRIGGER IF EXISTS failing" + (postgresql ? " ON {jobs}" : ""))
                .update();
    }
}
