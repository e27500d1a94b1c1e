package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
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
import io.credential.webhook.delivery.DispatcherRows;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.ALL;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.ALL_STEPS;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.DEAD_OF_SHOP;
import static io.credential.webhook.delivery.internal.history.BulkRetryJobs.MACS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** How jobs start, advance on several nodes, survive failures and end. */
@BothDatabases
class BulkRetryProgressTests {

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final BulkRetryJobs jobs;
    private final DispatcherRows rows;
    private final MutableClock clock;
    private final BulkRetries retries;
    private final BulkRetries otherNode;
    private final List<AuditEvent> audited;

    BulkRetryProgressTests(TestDatabase test) {
        this.jobs = new BulkRetryJobs(test);
        this.rows = jobs.rows;
        this.clock = jobs.clock;
        this.retries = jobs.retries;
        this.otherNode = jobs.otherNode;
        this.audited = jobs.audited;
    }

    @AfterEach
    void removeFault() {
        mendJobs();
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
        assertThat(jobs.retried()).isEmpty();
        assertThat(audited).isEmpty();
    }

    @Test
    void createWhenActorHoldsATokenThenStoredMasked() {
        BulkRetries node = jobs.node(() -> {}, () -> "bk_live_0011223344556677_" + "0123456789abcdef".repeat(4) + "\0");

        node.create(DEAD_OF_SHOP);

        assertThat(rows.ids("started_by", "{jobs}")).containsExactly("bk_live_0011223344556677_***\ufffd");
    }

    @Test
    void createWhenActorIsUnknownThenStarts() {
        rows.delivery("shop", DEAD);
        BulkRetries node = jobs.node(() -> {}, () -> {
            throw new IllegalStateException("no session");
        });

        BulkJob job = node.create(DEAD_OF_SHOP);
        node.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(audited.get(1).attributes()).doesNotContainKey("startedBy");
    }

    @Test
    void jobThenIsAuditedAtItsStartAndItsEnd() {
        jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
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

    @Test
    void continueWhenNodeStopsAnywhereThenAnotherGoesOn() {
        List<String> selected = jobs.deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        List<BulkJob> progress = new ArrayList<>();

        while (jobs.job(job).state() != BulkJobState.FINISHED) {
            jobs.node().continueJobs(1);
            progress.add(jobs.job(job));
        }

        assertThat(progress).extracting(BulkJob::selected).containsExactly(2L, 4L, 5L, 5L, 5L, 5L);
        assertThat(progress).extracting(BulkJob::done).containsExactly(0L, 0L, 0L, 2L, 4L, 5L);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void selectWhenProgressIsNotStoredThenNorIsThePage() {
        List<String> selected = jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        breakJobs();

        retries.continueJobs(1);
        assertThat(jobs.items()).isEmpty();

        mendJobs();
        otherNode.continueJobs(ALL_STEPS);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(jobs.job(job).selected()).isEqualTo(3);
    }

    @Test
    void retryWhenProgressIsNotStoredThenNothingIsRetried() {
        List<String> selected = jobs.deliveries(3, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        breakJobs();

        retries.continueJobs(1);
        assertThat(jobs.retried()).isEmpty();
        assertThat(jobs.items()).hasSize(3);

        mendJobs();
        otherNode.continueJobs(ALL_STEPS);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(jobs.job(job).skipped()).isZero();
    }

    @RepeatedTest(3)
    void continueWhenNodesDoSoAtOnceThenEachIsRetriedOnce() {
        List<String> selected = jobs.deliveries(30, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        Queue<BulkRetries> nodes = new ConcurrentLinkedQueue<>(List.of(retries, otherNode));

        InParallel.run(2, () -> {
            nodes.remove().continueJobs(ALL_STEPS);
            return null;
        });
        retries.continueJobs(ALL_STEPS); // each may have found the job locked by the other

        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE redeliveries > 1"))
                .isEmpty();
        assertThat(jobs.job(job)).returns(30L, BulkJob::done).returns(0L, BulkJob::skipped);
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

        assertThat(jobs.job(first).state()).isEqualTo(BulkJobState.SELECTING);
        assertThat(jobs.job(second).state()).isEqualTo(BulkJobState.FINISHED);
    }

    @Test
    void continueWhenStatusOfQueryIsUnknownThenFails() {
        rows.delivery("shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        rows.sql("UPDATE {jobs} SET delivery_status = 'of-a-newer-version'").update();

        retries.continueJobs(ALL_STEPS);

        assertThat(rows.ids("job_id", "{jobs} WHERE state = 'selecting' AND selected = 0"))
                .containsExactly(job.id());
        assertThat(jobs.retried()).isEmpty();
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
        assertThat(jobs.retried()).containsExactly(id);
        assertThat(jobs.job(other).state()).isEqualTo(BulkJobState.FINISHED);

        rows.sql("UPDATE {jobs} SET delivery_status = 'dead'").update();
        retries.continueJobs(ALL_STEPS);
        assertThat(jobs.job(broken).state()).isEqualTo(BulkJobState.FINISHED);
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
        List<String> selected = jobs.deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);
        jobs.select();
        String held = Collections.min(selected);

        whileHolding(() -> rows.change(held, "redeliveries = redeliveries"), () -> {
            otherNode.continueJobs(ALL_STEPS);
            assertThat(jobs.job(job)).returns(4L, BulkJob::done).returns(BulkJobState.RETRYING, BulkJob::state);
            assertThat(jobs.items()).containsExactly(held);
        });
        otherNode.continueJobs(ALL_STEPS);

        assertThat(jobs.job(job)).returns(5L, BulkJob::done).returns(0L, BulkJob::skipped);
        assertThat(jobs.job(job).state()).isEqualTo(BulkJobState.FINISHED);
        assertThat(jobs.retried()).containsExactlyInAnyOrderElementsOf(selected);
    }

    @Test
    void continueWhenStoppedThenDoesNothing() {
        jobs.deliveries(5, "shop", DEAD);
        BulkJob job = retries.create(DEAD_OF_SHOP);

        retries.stop();
        retries.continueJobs();

        assertThat(jobs.job(job)).isEqualTo(job);
    }

    @Test
    void continueWhenStoppedMeanwhileThenEndsAfterTheStep() {
        jobs.deliveries(5, "shop", DEAD);
        BulkJob job = otherNode.create(DEAD_OF_SHOP);
        AtomicReference<BulkRetries> stopping = new AtomicReference<>();
        BulkRetries node = jobs.node(() -> stopping.get().stop());
        stopping.set(node);

        node.continueJobs();

        assertThat(jobs.job(job)).returns(2L, BulkJob::done).returns(BulkJobState.RETRYING, BulkJob::state);
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
