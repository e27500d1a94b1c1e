package io.credential.webhook.delivery.internal.statistics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;

import ch.qos.logback.classic.Level;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.RepeatedWork;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.EndpointStatistics;
import io.credential.webhook.delivery.EndpointSummary;
import io.credential.webhook.delivery.EventTypeAttempts;
import io.credential.webhook.delivery.HourlyAttempts;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.AttemptFailure;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.http.FailureReason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class JdbcDeliveryStatisticsTests {

    private static final String REFUSED = "INSERT INTO _credential_webhook_hourly_counts";

    private static final EndpointSummary EMPTY = new EndpointSummary(null, null, 0, 0, 0);

    private final MutableClock clock = MutableClock.atNewYear();
    private final DispatcherRows rows;
    private final RecordedStatements recording;
    private final LossyCommits commits;
    private final CredentialDatabase database;
    private final JdbcDeliveryStatistics statistics;

    JdbcDeliveryStatisticsTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.recording = new RecordedStatements(test.dataSource());
        this.commits = new LossyCommits(recording);
        this.database = CredentialDatabase.of(recording, commits);
        this.statistics = node(10_000);
        List.of("shop", "bank").forEach(this::endpoint);
    }

    private JdbcDeliveryStatistics node(int capacity) {
        return new JdbcDeliveryStatistics(DispatcherRows.context(database, rows.tables, clock), capacity);
    }

    private void endpoint(String id) {
        rows.sql(
                        "INSERT INTO {endpoints} (endpoint_id, url, scheme, secret, created_at) VALUES (:id, 'u', 'credential', 's', 1)")
                .param("id", id)
                .update();
    }

    @Test
    void countThenAcceptedFailedAndDeadByType() {
        accept(statistics, "shop", "paid");
        accept(statistics, "shop", "paid");
        fail(statistics, "shop", "paid");
        die(statistics, "shop", "left");
        statistics.count(Settlement.deadUnattempted(
                delivery("shop", "left"), clock.millis(), DeadReason.INTEGRITY, "changed without its keys"));
        statistics.count(Settlement.released(delivery("shop", "paid")));
        accept(statistics, "bank", "paid");
        statistics.flush();

        assertThat(statistics.ofEndpoint("shop").eventTypes())
                .containsExactly(new EventTypeAttempts("left", 0, 1, 2), new EventTypeAttempts("paid", 2, 1, 0));
        assertThat(latest(statistics.ofEndpoint("shop").hours()))
                .isEqualTo(new HourlyAttempts(clock.instant(), 2, 2, 2));
        assertThat(latest(statistics.lastDay())).isEqualTo(new HourlyAttempts(clock.instant(), 3, 2, 2));
    }

    @Test
    void countThenHoursAreInUtcAndComplete() {
        Instant hour = clock.instant();
        clock.set(hour.plus(Duration.ofMinutes(59)));
        accept(statistics, "shop", "paid");
        clock.set(hour.plus(Duration.ofHours(1)));
        fail(statistics, "shop", "paid");
        clock.set(hour.plus(Duration.ofHours(23)));
        statistics.flush();

        List<HourlyAttempts> expected = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            expected.add(new HourlyAttempts(hour.plus(Duration.ofHours(i)), i == 0 ? 1 : 0, i == 1 ? 1 : 0, 0));
        }
        assertThat(statistics.lastDay()).isEqualTo(expected);
        assertThat(statistics.ofEndpoint("shop").hours()).isEqualTo(expected);

        clock.advance(Duration.ofHours(1));
        assertThat(statistics.lastDay().get(0)).isEqualTo(expected.get(1));
        assertThat(statistics.ofEndpoints(List.of("shop")).get("shop"))
                .as("the hour of the success is over, its time is not")
                .isEqualTo(new EndpointSummary(
                        hour.plus(Duration.ofMinutes(59)), hour.plus(Duration.ofHours(1)), 0, 1, 0));
    }

    @Test
    void countThenTimeIsTheEndOfTheAttempt() {
        AttemptLog slow = new AttemptLog(clock.millis() - 1500, 2000, null, null, null);

        statistics.count(Settlement.delivered(delivery("shop", "paid"), clock.millis(), slow));
        statistics.flush();

        assertThat(statistics.ofEndpoint("shop").lastSuccessAt())
                .isEqualTo(clock.instant().plusMillis(500));
    }

    @Test
    void flushWhenSeveralNodesThenCountsAreAdded() {
        JdbcDeliveryStatistics other = node(10_000);
        accept(statistics, "shop", "paid");
        fail(other, "shop", "paid");
        fail(other, "bank", "paid");
        statistics.flush();
        other.flush();
        accept(statistics, "shop", "paid");
        statistics.flush();

        assertThat(other.ofEndpoint("shop").eventTypes()).containsExactly(new EventTypeAttempts("paid", 2, 1, 0));
        assertThat(latest(node(1).lastDay()))
                .as("after a restart")
                .isEqualTo(new HourlyAttempts(clock.instant(), 2, 2, 0));
    }

    @Test
    void flushWhenNodesWriteAtOnceThenNoneIsLost() {
        int rounds = 30;
        InParallel.run(List.of(
                () -> flushOften(node(10_000), rounds, "shop", "bank"),
                () -> flushOften(node(10_000), rounds, "bank", "shop")));

        assertThat(latest(statistics.lastDay())).isEqualTo(new HourlyAttempts(clock.instant(), 4L * rounds, 0, 0));
        assertThat(statistics.ofEndpoint("shop").eventTypes())
                .containsExactly(new EventTypeAttempts("paid", 2L * rounds, 0, 0));
    }

    private boolean flushOften(JdbcDeliveryStatistics node, int rounds, String... endpoints) {
        for (int round = 0; round < rounds; round++) {
            for (String endpoint : endpoints) {
                accept(node, endpoint, "paid");
            }
            node.flush();
        }
        return true;
    }

    /** All nodes lock rows in this order; the totals are locked for the shortest time. */
    @Test
    void flushThenRowsAreWrittenInDescendingOrder() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            DispatcherRows others = new DispatcherRows(sqlite);
            others.sql("create table written (id text)").update();
            others.sql("create trigger counted after insert on {hourly_counts}"
                            + " begin insert into written values ('count ' || new.endpoint_id); end")
                    .update();
            others.sql("create trigger ended after insert on {last_outcomes}"
                            + " begin insert into written values ('outcome ' || new.endpoint_id); end")
                    .update();
            JdbcDeliveryStatistics node = new JdbcDeliveryStatistics(others.context(clock));
            List.of("b", "d", "a", "c").forEach(id -> accept(node, id, "paid"));

            node.flush();

            assertThat(others.sql("select id from written order by rowid")
                            .query(String.class)
                            .list())
                    .containsExactly(
                            "outcome d",
                            "outcome c",
                            "outcome b",
                            "outcome a",
                            "count d",
                            "count c",
                            "count b",
                            "count a",
                            "count ");
        }
    }

    @Test
    void flushThenTwoBatches() {
        for (int i = 0; i < 100; i++) {
            accept(statistics, "shop", "type-" + i);
            accept(statistics, "bank", "type-" + i);
        }
        recording.clear();

        statistics.flush();
        assertThat(statements()).hasSize(2).allMatch(sql -> sql.startsWith("INSERT INTO"));
        recording.clear();
        statistics.flush();

        assertThat(recording.statements()).as("nothing is left to write").isEmpty();
    }

    @Test
    void readsThenFewStatements() {
        recording.clear();
        assertThat(statistics.lastDay()).hasSize(24);
        assertThat(recording.statements()).hasSize(1);

        recording.clear();
        var unused = statistics.ofEndpoint("shop");
        assertThat(recording.statements()).hasSize(2);

        recording.clear();
        assertThat(statistics.ofEndpoints(List.of("shop", "bank"))).hasSize(2);
        assertThat(recording.statements()).hasSize(2);
    }

    @Test
    void flushWhenDatabaseFailsThenCountsAreKept() {
        Instant first = clock.instant();
        fail(statistics, "shop", "paid");
        recording.refuse(REFUSED);
        try (CapturedLog log = CapturedLog.of(RepeatedWork.class)) {
            statistics.flush();
            statistics.flush();

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .satisfies(
                            line -> assertThat(line).contains("Could not write the statistics of webhook deliveries"));
        }
        clock.advance(Duration.ofSeconds(5));
        fail(statistics, "shop", "paid");
        assertThat(statistics.ofEndpoints(List.of("shop"))).containsEntry("shop", EMPTY);
        recording.allowAll();
        statistics.flush();

        assertThat(statistics.ofEndpoints(List.of("shop")))
                .containsEntry("shop", new EndpointSummary(null, first, 0, 2, 0));
    }

    @Test
    void flushWhenCommitIsNotConfirmedThenNotCountedTwice() {
        accept(statistics, "shop", "paid");
        commits.loseNextAnswer.set(true);
        try (CapturedLog log = CapturedLog.of(JdbcDeliveryStatistics.class)) {
            statistics.flush();

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("did not confirm the statistics"));
        }
        statistics.flush();

        assertThat(latest(statistics.lastDay()).accepted()).isEqualTo(1);
    }

    @Test
    void countWhenAtCapacityThenWithoutTypeThenTotalsOnly() {
        endpoint("club");
        JdbcDeliveryStatistics small = node(2);
        accept(small, "shop", "paid"); // with the totals, two
        accept(small, "shop", "left");
        accept(small, "shop", "paid");
        accept(small, "bank", "paid");
        accept(small, "club", "paid");
        small.flush();

        assertThat(small.ofEndpoint("shop").eventTypes())
                .containsExactly(new EventTypeAttempts("", 1, 0, 0), new EventTypeAttempts("paid", 2, 0, 0));
        assertThat(small.ofEndpoint("bank").eventTypes()).containsExactly(new EventTypeAttempts("", 1, 0, 0));
        assertThat(small.ofEndpoint("club")).returns(null, EndpointStatistics::lastSuccessAt);
        assertThat(small.ofEndpoint("club").eventTypes()).isEmpty();
        assertThat(latest(small.lastDay()).accepted()).isEqualTo(5);
    }

    @Test
    void flushWhenItFailsAtCapacityThenStaysBounded() {
        JdbcDeliveryStatistics small = node(2);
        recording.refuse(REFUSED);
        accept(small, "shop", "paid");
        small.flush();
        accept(small, "bank", "paid");
        small.flush();
        accept(small, "bank", "left");
        recording.allowAll();
        small.flush();

        assertThat(latest(small.lastDay()).accepted()).isEqualTo(3);
        assertThat(rows.ids("event_type", "{hourly_counts} WHERE endpoint_id <> ''"))
                .hasSizeLessThanOrEqualTo(4);
    }

    /** What SQL makes of the same outcomes, however they are divided into flushes of two nodes. */
    @Test
    void flushThenOutcomesAreMergedAsInMemory() {
        Random random = new Random(20_260_101);
        List<JdbcDeliveryStatistics> nodes = List.of(statistics, node(10_000));
        for (int round = 0; round < 20; round++) {
            String id = "endpoint-" + round;
            endpoint(id);
            List<LastOutcomes> outcomes = new ArrayList<>();
            for (int flush = 0; flush < 4; flush++) {
                List<LastOutcomes> flushed = new ArrayList<>();
                for (int attempt = random.nextInt(3); attempt >= 0; attempt--) {
                    clock.set(DispatcherRows.NEW_YEAR.plusSeconds(random.nextInt(8)));
                    boolean accepted = random.nextBoolean();
                    flushed.add(accepted ? LastOutcomes.accepted(clock.millis()) : LastOutcomes.failed(clock.millis()));
                    nodes.get(flush % 2).count(accepted ? accepted(id, "paid") : failed(id, "paid"));
                }
                nodes.get(flush % 2).flush();
                outcomes.add(merged(flushed));
            }
            LastOutcomes stored = merged(outcomes);

            EndpointStatistics read = statistics.ofEndpoint(id);
            assertThat(read.lastSuccessAt()).as(id).isEqualTo(time(stored.lastSuccessAt()));
            assertThat(read.failingSince()).as(id).isEqualTo(time(stored.failingSince()));
        }
    }

    private static LastOutcomes merged(List<LastOutcomes> outcomes) {
        return outcomes.stream().reduce(LastOutcomes::merge).orElseThrow();
    }

    @Test
    void flushWhenOthersSucceedBetweenThenLastFailure() {
        Instant first = clock.instant();
        JdbcDeliveryStatistics other = node(10_000);
        fail(statistics, "shop", "paid");
        clock.advance(Duration.ofSeconds(1));
        accept(other, "shop", "paid");
        Instant last = clock.advance(Duration.ofSeconds(1));
        fail(statistics, "shop", "paid");
        statistics.flush();
        assertThat(statistics.ofEndpoint("shop").failingSince()).isEqualTo(first);

        other.flush();

        assertThat(statistics.ofEndpoint("shop").failingSince()).isEqualTo(last);
    }

    private static @Nullable Instant time(long millis) {
        return millis == LastOutcomes.NEVER || millis == LastOutcomes.NOT_FAILING ? null : Instant.ofEpochMilli(millis);
    }

    @Test
    void ofEndpointsThenInTheGivenOrderAndComplete() {
        accept(statistics, "shop", "paid");
        statistics.flush();

        assertThat(statistics.ofEndpoints(List.of("none", "shop", "no\0name", "bank")))
                .containsExactly(
                        Map.entry("none", EMPTY),
                        Map.entry("shop", new EndpointSummary(clock.instant(), null, 1, 0, 0)),
                        Map.entry("no\0name", EMPTY),
                        Map.entry("bank", EMPTY));
        assertThat(statistics.ofEndpoints(List.of())).isEmpty();
        assertThat(statistics.ofEndpoint("no\0name").eventTypes()).isEmpty();
    }

    @Test
    void ofEndpointsWhenTooManyThenRefused() {
        List<String> ids = IntStream.range(0, 1000).mapToObj(i -> "id-" + i).toList();
        assertThat(statistics.ofEndpoints(ids)).hasSize(1000).containsValue(EMPTY);

        List<String> more = new ArrayList<>(ids);
        more.add("another");
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> statistics.ofEndpoints(more))
                .withMessage("endpointIds must be at most 1000 ids, not 1001")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void removeExpiredThenOnlyOlderHoursAreRemoved() {
        for (int hour = 0; hour < 27; hour++) {
            accept(statistics, "shop", "paid");
            accept(statistics, "shop", "left");
            statistics.flush();
            clock.advance(Duration.ofHours(1));
        }
        clock.advance(Duration.ofHours(-1));
        List<HourlyAttempts> before = statistics.lastDay();

        statistics.removeExpired(() -> true);
        assertThat(hours()).hasSize(27);
        statistics.removeExpired(() -> false);

        assertThat(hours()).hasSize(25).allMatch(hour -> hour >= clock.millis() / 3_600_000 - 24);
        assertThat(statistics.lastDay()).isEqualTo(before);
        assertThat(statistics.ofEndpoint("shop").lastSuccessAt()).isEqualTo(clock.instant());
    }

    private List<Long> hours() {
        return rows.sql("SELECT DISTINCT hour FROM {hourly_counts}")
                .query((row, index) -> row.getLong(1))
                .list();
    }

    @Test
    void flushWhenHourIsTooOldThenNotWritten() {
        accept(statistics, "shop", "paid");
        clock.advance(Duration.ofHours(25));
        statistics.flush();

        assertThat(hours()).isEmpty();
        assertThat(statistics.ofEndpoint("shop").lastSuccessAt()).isEqualTo(DispatcherRows.NEW_YEAR);
    }

    @Test
    void removedEndpointThenHasNoStatistics() {
        accept(statistics, "shop", "paid");
        accept(statistics, "bank", "paid");
        statistics.flush();
        rows.sql("DELETE FROM {endpoints} WHERE endpoint_id = 'shop'").update();

        assertThat(statistics.ofEndpoints(List.of("shop"))).containsEntry("shop", EMPTY);
        assertThat(statistics.ofEndpoint("shop").eventTypes()).isEmpty();
        assertThat(latest(statistics.lastDay()).accepted()).isEqualTo(2);
        statistics.removeExpired(() -> false);
        assertThat(rows.ids("endpoint_id", "{last_outcomes}")).containsExactly("bank");
    }

    @Test
    void createdThenStartsWithoutStatistics() {
        accept(statistics, "shop", "paid");
        accept(statistics, "bank", "paid");
        statistics.flush();

        statistics.created("shop");

        assertThat(statistics.ofEndpoints(List.of("shop", "bank")))
                .containsExactly(
                        Map.entry("shop", EMPTY),
                        Map.entry("bank", new EndpointSummary(clock.instant(), null, 1, 0, 0)));
    }

    private void accept(JdbcDeliveryStatistics node, String endpointId, String eventType) {
        node.count(accepted(endpointId, eventType));
    }

    private void fail(JdbcDeliveryStatistics node, String endpointId, String eventType) {
        node.count(failed(endpointId, eventType));
    }

    private void die(JdbcDeliveryStatistics node, String endpointId, String eventType) {
        node.count(Settlement.dead(
                delivery(endpointId, eventType), clock.millis(), DeadReason.ATTEMPTS_EXHAUSTED, failure()));
    }

    private Settlement accepted(String endpointId, String eventType) {
        AttemptLog log = new AttemptLog(clock.millis(), 0, null, null, null);
        return Settlement.delivered(delivery(endpointId, eventType), clock.millis(), log);
    }

    private Settlement failed(String endpointId, String eventType) {
        return Settlement.failed(delivery(endpointId, eventType), clock.millis() + 5000, failure());
    }

    private AttemptLog failure() {
        return new AttemptLog(clock.millis(), 0, null, null, new AttemptFailure(FailureReason.HTTP_STATUS, "HTTP 500"));
    }

    private static ClaimedDelivery delivery(String endpointId, String eventType) {
        Claim claim = new Claim(1, "owner", 0, 0);
        return new ClaimedDelivery(
                "delivery", "event", endpointId, eventType, 1, 0, 0, 0, claim, false, null, null, 0, null, null);
    }

    private static HourlyAttempts latest(List<HourlyAttempts> hours) {
        return hours.get(hours.size() - 1);
    }

    private List<String> statements() {
        return recording.statements().stream()
                .filter(sql -> !sql.startsWith("a statement"))
                .toList();
    }

    /** Commits a transaction, and then loses the answer. */
    private static final class LossyCommits extends DataSourceTransactionManager {

        private static final long serialVersionUID = 1L;

        final AtomicBoolean loseNextAnswer = new AtomicBoolean();

        LossyCommits(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            super.doCommit(status);
            if (loseNextAnswer.getAndSet(false)) {
                throw new TransactionSystemException("lost");
            }
        }
    }
}
