package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** How many round trips to PostgreSQL an event and its deliveries cost. */
class DispatchCostTests {

    private static final String WITHOUT_WAITING_FOR_THE_DISK = "set_config('synchronous_commit', 'off', true)";

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final DispatcherFixture fixture = new DispatcherFixture(test);

    private final RecordedStatements recorded = new RecordedStatements(test.dataSource());

    @AutoClose
    private final JdbcWebhookDispatcher dispatcher = DispatcherFixture.builder(
                    CredentialDatabase.of(recorded), fixture.keyring, fixture.clock)
            .dispatchWait(Duration.ofMinutes(1))
            .batchSize(1)
            .build();

    @BeforeEach
    void holdALease() {
        fixture.dispatcher.declareSchema();
        dispatcher.dispatch("e", "{}"); // the first one also acquires the node's lease
        fixture.endpoint("one", "/one");
        fixture.endpoint("two", "/two");
        recorded.clear();
    }

    @Test
    void enqueueThenTakesOneStatement() {
        assertThat(dispatcher.enqueue("e", "{}").deliveries()).hasSize(2);

        assertThat(statements()).singleElement().satisfies(DispatchCostTests::assertCommitsSynchronously);
        assertThat(recorded.transactions()).isEmpty();
    }

    @Test
    void enqueueWhenInTransactionThenAddsOneStatement() {
        new TransactionTemplate(new JdbcTransactionManager(recorded))
                .executeWithoutResult(status -> dispatcher.enqueue("e", "{}"));

        assertThat(statements()).singleElement().satisfies(DispatchCostTests::assertCommitsSynchronously);
        assertThat(recorded.transactions()).containsExactly("auto-commit false", "auto-commit true");
    }

    @Test
    void enqueueWhenSameEndpointsThenOnlyVerifiesThem() {
        dispatcher.enqueue("e", "{}");
        recorded.clear();

        assertThat(dispatcher.enqueue("e", "{}").deliveries()).hasSize(2);

        assertThat(statements()).singleElement().matches(DispatchCostTests::isVerifiedFanOut);
    }

    @Test
    void enqueueWhenEndpointsChangedThenFindsThemOnce() {
        dispatcher.enqueue("e", "{}");
        fixture.dispatcher.removeEndpoint("two");
        recorded.clear();

        dispatcher.enqueue("e", "{}");
        dispatcher.enqueue("e", "{}");

        assertThat(statements()).extracting(DispatchCostTests::isVerifiedFanOut).containsExactly(true, false, true);
    }

    /** Their deliveries are not reserved, so no outcome is stored. */
    @Test
    void dispatchWhenPausedThenOnlyStored() {
        fixture.dispatcher.pauseEndpoint("one");
        fixture.dispatcher.pauseEndpoint("two");
        dispatcher.dispatch("e", "{}");
        recorded.clear();

        dispatcher.dispatch("e", "{}");

        assertThat(statements()).singleElement().matches(DispatchCostTests::isVerifiedFanOut);
    }

    @Test
    void dispatchThenTakesOneStatementAndOutcomesAnother() {
        fixture.dispatcher.removeEndpoint("two"); // two outcomes may or may not be there at the same time

        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);

        assertThat(statements()).hasSize(2);
        assertThat(recorded.transactions()).isEmpty();
    }

    @Test
    void outcomeWhenEventsAreEnabledThenStillOneStatement() {
        fixture.dispatcher.removeEndpoint("two");
        try (JdbcWebhookDispatcher raising = DispatcherFixture.builder(
                        CredentialDatabase.of(recorded), fixture.keyring, fixture.clock)
                .dispatchWait(Duration.ofMinutes(1))
                .operationalEvents(true)
                .build()) {
            raising.dispatch("e", "{}"); // also acquires the node's lease
            recorded.clear();

            assertThat(raising.dispatch("e", "{}").delivered()).isEqualTo(1);

            assertThat(statements()).hasSize(2);
            assertThat(recorded.transactions()).isEmpty();
        }
    }

    @Test
    void processRetriesThenTakesFourStatements() {
        dispatcher.enqueue("e", "{}");
        recorded.clear();

        assertThat(dispatcher.processRetries().delivered()).isEqualTo(1);

        assertThat(statements()).hasSize(4);
        assertThat(statements().subList(2, 4)).allMatch(sql -> sql.contains(WITHOUT_WAITING_FOR_THE_DISK));
        assertThat(recorded.transactions()).isEmpty();
    }

    @Test
    void processRetriesWhenNothingIsOpenThenOnlyScans() {
        dispatcher.processRetries();

        assertThat(statements()).singleElement().matches(DispatchCostTests::isScan);
    }

    @Test
    void enqueueWhenStartedThenSentWithoutAClaim() {
        startAndWaitUntilIdle();

        dispatcher.enqueue("e", "{}");

        awaitDelivered(3);
        assertThat(statements())
                .filteredOn(sql -> !isTakeover(sql)) // how often a started node looks for stranded ones, time decides
                .hasSize(2)
                .anyMatch(DispatchCostTests::isFanOut)
                .anyMatch(DispatchCostTests::isOutcome);
    }

    @Test
    void dispatchWhenInTransactionThenSentWithoutAClaim() {
        startAndWaitUntilIdle();

        new TransactionTemplate(new JdbcTransactionManager(recorded))
                .executeWithoutResult(status -> dispatcher.dispatch("e", "{}"));

        awaitDelivered(3);
        assertThat(statements())
                .filteredOn(sql -> !isTakeover(sql)) // how often a started node looks for stranded ones, time decides
                .hasSize(2)
                .anyMatch(DispatchCostTests::isFanOut)
                .anyMatch(DispatchCostTests::isOutcome);
    }

    /** Nothing is reserved below a savepoint. Without a wake-up, only a scan would find the delivery. */
    @Test
    void enqueueWhenBelowSavepointThenClaimedWithoutScan() {
        startAndWaitUntilIdle();
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(recorded));
        AtomicInteger delivered = new AtomicInteger(2);

        Patience.until(() -> {
            recorded.clear();
            transaction.executeWithoutResult(status -> {
                status.createSavepoint();
                dispatcher.enqueue("e", "{}");
            });
            awaitDelivered(delivered.incrementAndGet());
            return statements().stream().noneMatch(DispatchCostTests::isScan);
        });
    }

    /** With one subscriber, so that there is one outcome, and an event on its way, after which nothing is left to claim. */
    private void startAndWaitUntilIdle() {
        fixture.dispatcher.removeEndpoint("two");
        dispatcher.enqueue("e", "{}");
        dispatcher.start();
        awaitDelivered(1);
        dispatcher.dispatch("e", "{}");
        awaitDelivered(2);
        recorded.clear();
    }

    private void awaitDelivered(int deliveries) {
        fixture.await(() -> fixture.dispatcher
                        .deliveries()
                        .list(DeliveryQuery.all().withStatus(DeliveryStatus.DELIVERED))
                        .size()
                == deliveries);
    }

    /** No committed event may be lost. */
    private static void assertCommitsSynchronously(String sql) {
        assertThat(sql).doesNotContain("synchronous_commit");
    }

    private static boolean isFanOut(String sql) {
        return sql.contains("fanned_out") || isVerifiedFanOut(sql);
    }

    /** Stores an event for the endpoints that an earlier one reached. */
    private static boolean isVerifiedFanOut(String sql) {
        return sql.contains("bit_xor");
    }

    private static boolean isScan(String sql) {
        return sql.contains("RECURSIVE open");
    }

    private static boolean isTakeover(String sql) {
        return sql.contains("takeovers = takeovers + 1");
    }

    private static boolean isOutcome(String sql) {
        return sql.contains("settled");
    }

    /** Without those for the node's lease, and for endpoints that were read a while ago: how many these are, time decides. */
    private List<String> statements() {
        return recorded.statements().stream()
                .filter(sql -> sql.contains("_credential_webhook_deliveries"))
                .toList();
    }
}
