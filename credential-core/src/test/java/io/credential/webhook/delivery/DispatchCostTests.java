package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.http.DestinationPolicy;

import static org.assertj.core.api.Assertions.assertThat;

/** How many round trips to PostgreSQL an event and its deliveries cost. */
class DispatchCostTests {

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final DispatcherFixture fixture = new DispatcherFixture(test);

    private final RecordedStatements recorded = new RecordedStatements(test.dataSource());

    @AutoClose
    private final JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(
                    CredentialDatabase.of(recorded), fixture.keyring)
            .clock(fixture.clock)
            .dispatchWait(Duration.ofMinutes(1))
            .batchSize(1)
            .destinationPolicy(
                    DestinationPolicy.builder().allowInternalDestinations(true).build())
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
    void enqueueIsOneStatement() {
        assertThat(dispatcher.enqueue("e", "{}").deliveries()).hasSize(2);

        assertThat(statements()).hasSize(1);
        assertThat(recorded.transactions()).isEmpty();
    }

    @Test
    void enqueueInTheCallersTransactionAddsOneStatementToIt() {
        new TransactionTemplate(new JdbcTransactionManager(recorded))
                .executeWithoutResult(status -> dispatcher.enqueue("e", "{}"));

        assertThat(statements()).hasSize(1);
        assertThat(recorded.transactions()).containsExactly("auto-commit false", "auto-commit true");
    }

    @Test
    void dispatchIsOneStatementAndItsOutcomesAnother() {
        fixture.dispatcher.removeEndpoint("two"); // two outcomes may or may not be there at the same time

        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);

        assertThat(statements()).hasSize(2);
        assertThat(recorded.transactions()).isEmpty();
    }

    @Test
    void aClaimIsOneStatementAndItsOutcomesAnother() {
        dispatcher.enqueue("e", "{}");
        recorded.clear();

        assertThat(dispatcher.processRetries().delivered()).isEqualTo(1);

        assertThat(statements()).hasSize(2);
        assertThat(recorded.transactions()).isEmpty();
    }

    /** Without those for the node's lease, and for endpoints that were read a while ago: how many these are, time decides. */
    private List<String> statements() {
        return recorded.statements().stream()
                .filter(sql -> sql.contains("_credential_webhook_deliveries"))
                .toList();
    }
}
