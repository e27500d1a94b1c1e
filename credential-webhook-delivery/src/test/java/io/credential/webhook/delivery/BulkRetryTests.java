package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.LiveThreads;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Bulk retries by a whole dispatcher, until the webhooks arrive. */
@BothDatabases
class BulkRetryTests extends DispatcherTestBase {

    private static final DeliveryQuery DEAD =
            DeliveryQuery.all().withEndpoint("down").withStatus(DeliveryStatus.DEAD);

    BulkRetryTests(TestDatabase test) {
        super(test);
    }

    @Test
    void retryAllWhenStartedThenSentOnceEachWithoutPolls() {
        List<String> ids = dead(3);
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();

        BulkJob job = node.deliveries().retryAll(DEAD);
        awaitFinished(job);
        fixture.await(() -> delivered().size() == 3);

        assertThat(delivered()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(sentAgain()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids)
                .allSatisfy(id -> assertThat(fixture.delivery(id).attempts()).isEqualTo(1));
    }

    @Test
    void retryAllInATransactionThenStartsAfterTheCommit() {
        List<String> ids = dead(2);
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();

        BulkJob job = fixture.database().inTransaction(() -> {
            BulkJob stored = node.deliveries().retryAll(DEAD);
            assertThat(node.deliveries().job(stored.id())).contains(stored);
            return stored;
        });
        awaitFinished(job);
        fixture.await(() -> delivered().size() == 2);

        assertThat(sentAgain()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void openJobsThenThoseThatHaveNotFinished() {
        dead(1);
        BulkJob finished = dispatcher.deliveries().retryAll(DEAD);
        fixture.dispatcher.continueJobs();
        fixture.clock.advance(Duration.ofSeconds(1));
        BulkJob first = dispatcher.deliveries().retryAll(DEAD);
        fixture.clock.advance(Duration.ofSeconds(1));
        BulkJob second = dispatcher.deliveries().retryAll(DEAD);

        assertThat(dispatcher.deliveries().openJobs())
                .containsExactly(first, second)
                .doesNotContain(finished);
    }

    @Test
    void continueJobsWhenNotStartedThenContinuesHere() {
        List<String> ids = dead(2);
        BulkJob job = dispatcher.deliveries().retryAll(DEAD);
        assertThat(job(job).state()).isEqualTo(BulkJobState.SELECTING);

        fixture.dispatcher.continueJobs();

        assertThat(job(job)).returns(BulkJobState.FINISHED, BulkJob::state).returns(2L, BulkJob::done);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(2, 2, 0));
        assertThat(sentAgain()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void continueJobsWhenNodeWasStoppedThenAnotherFinishes() {
        dead(2);
        BulkJob job = dispatcher.deliveries().retryAll(DEAD);
        JdbcWebhookDispatcher stopped = fixture.node(options -> options);
        stopped.start();
        stopped.stop(Duration.ZERO);
        LiveThreads.awaitNone("credential-webhook-jobs");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();

        node.continueJobs();

        awaitFinished(job);
    }

    @Test
    void continueJobsAfterStopThenDoesNothing() {
        dead(2);
        BulkJob job = dispatcher.deliveries().retryAll(DEAD);
        JdbcWebhookDispatcher stopped = fixture.node(options -> options);
        stopped.start();
        stopped.stop(Duration.ZERO);

        stopped.continueJobs();

        assertThat(job(job)).isEqualTo(job);
    }

    @Test
    void continueJobsInATransactionThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> fixture.database().inTransaction(() -> {
                    fixture.dispatcher.continueJobs();
                    return null;
                }))
                .returns("webhook-dispatcher/foreign-transaction", WebhookDispatcherException::code);
    }

    @Test
    void retryAllWhenRetriedMeanwhileThenSentOnce() {
        String id = dead(1).get(0);
        BulkJob job = dispatcher.deliveries().retryAll(DEAD);
        fixture.receiver.answering("/down", 200);

        dispatcher.deliveries().retry(id);
        fixture.dispatcher.continueJobs();

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
        assertThat(job(job)).returns(BulkJobState.FINISHED, BulkJob::state).returns(0L, BulkJob::selected);
        assertThat(sentAgain()).containsExactly(id);
    }

    @Test
    void countThenIsWhatTheJobSelects() {
        dead(3);
        long count = dispatcher.deliveries().count(DEAD.withLimit(1));

        BulkJob job = dispatcher.deliveries().retryAll(DEAD.withLimit(1));
        fixture.dispatcher.continueJobs();

        assertThat(count).isEqualTo(3);
        assertThat(job(job).selected()).isEqualTo(3);
    }

    @Test
    void removeExpiredThenRemovesJobsAfterTheRetention() {
        BulkJob job = dispatcher.deliveries().retryAll(DEAD);
        fixture.dispatcher.continueJobs();

        fixture.clock.advance(Duration.ofDays(30));
        fixture.dispatcher.removeExpired();
        assertThat(dispatcher.deliveries().job(job.id())).isPresent();

        fixture.clock.advance(Duration.ofMillis(1));
        fixture.dispatcher.removeExpired();
        assertThat(dispatcher.deliveries().job(job.id())).isEmpty();
    }

    /** Dead after one attempt each; the endpoint then accepts everything. */
    private List<String> dead(int count) {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        JdbcWebhookDispatcher once = fixture.node(options -> options.maxAttempts(1));
        List<String> ids = Stream.generate(
                        () -> once.dispatch("e", "{}").deliveries().get(0).deliveryId())
                .limit(count)
                .toList();
        fixture.receiver.answering("/down", 200);
        return ids;
    }

    private void awaitFinished(BulkJob job) {
        fixture.await(() -> job(job).state() == BulkJobState.FINISHED);
    }

    private BulkJob job(BulkJob job) {
        return dispatcher.deliveries().job(job.id()).orElseThrow();
    }

    private List<String> delivered() {
        return fixture.rows.ids("delivery_id", "{deliveries} WHERE status = 'delivered'");
    }

    /** The id of the delivery of each webhook that came after the first ones. */
    private List<String> sentAgain() {
        List<String> all = fixture.receiver.hooks().stream()
                .map(hook -> hook.header("X-Webhook-Delivery-Id"))
                .toList();
        return all.subList(fixture.rows.ids("delivery_id", "{deliveries}").size(), all.size());
    }
}
