package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DispatcherRows;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.ALL_STEPS;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.DEAD_OF_SHOP;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.MACS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

@BothDatabases
class BulkRetryCancellationTests {

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final BulkRetryJobs jobs;
    private final DispatcherRows rows;
    private final MutableClock clock;
    private final BulkRetries retries;
    private final BulkRetries otherNode;
    private final List<AuditEvent> audited;

    BulkRetryCancellationTests(TestDatabase test) {
        this.jobs = new BulkRetryJobs(test);
        this.rows = jobs.rows;
        this.clock = jobs.clock;
        this.retries = jobs.retries;
        this.otherNode = jobs.otherNode;
        this.audited = jobs.audited;
    }

    @Test
    void cancelWhenSelectingThenNothingIsRetried() {
        jobs.deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(1);
        clock.advance(Duration.ofSeconds(1));

        BulkJob cancelled = otherNode.cancel(job.id()).orElseThrow();
        retries.continueJobs(ALL_STEPS);

        assertThat(cancelled)
                .isEqualTo(new BulkJob(job.id(), 2, 0, 0, BulkJobState.CANCELLED, job.createdAt(), clock.instant()));
        assertThat(jobs.job(job)).isEqualTo(cancelled);
        assertThat(jobs.retried()).isEmpty();
        assertThat(jobs.items()).isEmpty();
    }

    @Test
    void cancelWhenRetryingThenOnlyTheRestStays() {
        List<String> selected = jobs.deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        retries.continueJobs(1);

        BulkJob cancelled = otherNode.cancel(job.id()).orElseThrow();
        retries.continueJobs(ALL_STEPS);

        assertThat(cancelled).returns(BulkJobState.CANCELLED, BulkJob::state).returns(2L, BulkJob::done);
        assertThat(jobs.job(job)).isEqualTo(cancelled);
        assertThat(jobs.retried()).hasSize(2);
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE status = 'dead'"))
                .hasSize(3)
                .isSubsetOf(selected);
        assertThat(jobs.items()).isEmpty();
    }

    @Test
    void cancelThenOtherJobsContinue() {
        List<String> selected = jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        BulkJob other = retries.create(DEAD_OF_SHOP);
        jobs.select();

        retries.cancel(job.id());
        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.job(other))
                .returns(BulkJobState.FINISHED, BulkJob::state)
                .returns(0L, BulkJob::skipped);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void cancelWhenFinishedThenUnchanged() {
        jobs.deliveries(1, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.continueJobs(ALL_STEPS);
        BulkJob finished = jobs.job(job);
        audited.clear();

        assertThat(retries.cancel(job.id())).contains(finished);
        assertThat(finished.state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(audited).isEmpty();
    }

    @Test
    void cancelWhenCancelledThenUnchanged() {
        BulkJob job = retries.create(DEAD_OF_SHOP);
        BulkJob cancelled = retries.cancel(job.id()).orElseThrow();
        clock.advance(Duration.ofSeconds(1));
        audited.clear();

        assertThat(otherNode.cancel(job.id())).contains(cancelled);
        assertThat(audited).isEmpty();
    }

    @Test
    void cancelWhenUnknownThenEmpty() {
        for (String id : List.of("0".repeat(32), "", "no\0id", "A".repeat(32), "0".repeat(5000))) {
            assertThat(retries.cancel(id)).isEmpty();
        }
    }

    @Test
    void cancelThenAuditedWithTheProgress() {
        jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        retries.continueJobs(1);
        audited.clear();

        retries.cancel(job.id());

        assertThat(audited).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.bulk-retry.cancel");
            assertThat(event.outcome()).isEqualTo(AuditEvent.Outcome.SUCCESS);
            assertThat(event.resourceId()).isEqualTo(job.id());
            assertThat(event.attributes())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "endpointId",
                            "shop",
                            "status",
                            "dead",
                            "createdBefore",
                            clock.instant().plusMillis(1).toString(),
                            "startedBy",
                            "operator",
                            "selected",
                            3L,
                            "retried",
                            2L,
                            "skipped",
                            0L));
        });
    }

    @Test
    void cancelWhenRolledBackThenTheJobGoesOn() {
        List<String> selected = jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        audited.clear();

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    assertThat(retries.cancel(job.id())).get().returns(BulkJobState.CANCELLED, BulkJob::state);
                    throw new IllegalStateException("The caller changed its mind");
                }))
                .withMessageContaining("changed its mind");

        assertThat(audited).isEmpty();
        retries.continueJobs(ALL_STEPS);
        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void cancelWhenRowIsForgedThenFailsAndIsAudited() {
        BulkJob job = retries.create(DEAD_OF_SHOP);
        audited.clear();
        rows.sql("UPDATE {jobs} SET started_by = 'alice'").update();

        assertThatIllegalStateException()
                .isThrownBy(() -> retries.cancel(job.id()))
                .withMessageContaining(job.id())
                .withMessageContaining("delete the row");

        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.SELECTING);
        assertThat(audited).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.bulk-retry.cancel");
            assertThat(event.reason()).isEqualTo("integrity");
            assertThat(event.attributes()).isEqualTo(Map.of());
        });
    }

    @Test
    void cancelThenTheMacCoversTheRow() {
        BulkJob job = retries.create(DEAD_OF_SHOP);
        BulkJob cancelled = retries.cancel(job.id()).orElseThrow();

        DeliveryQuery stored = DEAD_OF_SHOP
                .withLimit(DeliveryQuery.MAX_LIMIT)
                .withCreatedBefore(clock.instant().plusMillis(1));
        String mac = rows.ids("row_mac", "{jobs}").get(0);
        assertThat(MACS.verify(new StoredJob(cancelled, stored, null, "operator").values(), mac))
                .isTrue();
    }

    @Test
    void cancelWhenReopenedByHandThenNotContinued() {
        jobs.deliveries(1, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.cancel(job.id());
        rows.sql("UPDATE {jobs} SET state = 'selecting', finished_at = NULL").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(jobs.retried()).isEmpty();
    }

    @Test
    void cancelWhenANodeIsAtWorkThenWaitsForItsStep() {
        assumeThat(rows.database.dialect())
                .as("SQLite has one writer at a time")
                .isEqualTo(SqlDialect.POSTGRESQL);
        jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        List<CompletableFuture<BulkJob>> cancellation = new ArrayList<>();

        rows.database.inTransaction(() -> {
            BulkJobStore store = new BulkJobStore(rows.database, rows.tables, MACS);
            StoredJob locked = store.lockOpen(job.id()).orElseThrow();
            cancellation.add(CompletableFuture.supplyAsync(
                    () -> otherNode.cancel(job.id()).orElseThrow(), threads));
            awaitBlockedSession();
            return store.advance(locked, store.nextItems(locked, 1), 0, null, null);
        });

        assertThat(Patience.join(cancellation.get(0)))
                .returns(BulkJobState.CANCELLED, BulkJob::state)
                .returns(1L, BulkJob::done);
        assertThat(jobs.items()).isEmpty();
    }

    @Test
    void removeWhenSelectionWasLeftThenRemovesItToo() {
        BulkJob job = retries.create(DEAD_OF_SHOP);
        retries.cancel(job.id());
        for (String id : List.of("a", "b")) {
            rows.sql(
                            "INSERT INTO {job_items} (job_id, delivery_id, status, redeliveries) VALUES (:job, :id, 'dead', 0)")
                    .param("job", job.id())
                    .param("id", id)
                    .update();
        }

        retries.removeFinishedBefore(clock.millis() + 1);

        assertThat(retries.find(job.id())).isEmpty();
        assertThat(jobs.items()).isEmpty();
    }

    private void awaitBlockedSession() {
        Patience.until(() -> rows.database.outsideTransaction(
                        () -> rows.sql("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'""").query(Long.class).single())
                == 1);
    }
}
