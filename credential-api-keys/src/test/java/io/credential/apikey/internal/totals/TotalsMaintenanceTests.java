package io.credential.apikey.internal.totals;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.internal.cluster.Leadership;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The leader counts all keys once, and then keeps the table small. */
@BothDatabases
class TotalsMaintenanceTests {

    private static final String COUNT = "GROUP BY 1, 2";

    /** The current term of office; 0 for none. */
    private final AtomicLong epoch = new AtomicLong(1);

    private final String other = RegistryFixture.newNamespace();
    private final DatabaseKind kind;
    private final CredentialDatabase unrecorded;
    private final RecordedStatements recording;
    private final RegistryFixture fixture;

    TotalsMaintenanceTests(TestDatabase test) {
        this.kind = test.kind();
        this.unrecorded = test.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.recording = new RecordedStatements(test.dataSource());
        this.fixture = RegistryFixture.with(
                CredentialDatabase.of(recording),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.leadership(new SwitchedLeadership())
                        .registry(ApiKeyRegistryOptions.forNamespace(other)));
    }

    @Test
    void runWhenEarlierVersionHasLedThenCounts() {
        fixture.issue();
        fixture.jdbc()
                .sql("DELETE FROM _credential_api_key_totals WHERE namespace = :namespace")
                .param("namespace", fixture.namespace)
                .update();

        fixture.registries.totalsMaintenance().run();

        assertThat(rows()).isEqualTo(2);
        assertThat(fixture.registry.totals()).isEqualTo(new ApiKeyTotals(1, 0, 0, 0));
    }

    @Test
    void runWhenCountedThenOnlyMerges() {
        fixture.registries.totalsMaintenance().run();
        fixture.issue();
        fixture.issue();
        assertThat(rows()).isEqualTo(3);
        recording.clear();

        fixture.registries.totalsMaintenance().run();

        assertThat(rows()).isEqualTo(2);
        assertThat(recording.statements()).noneMatch(sql -> sql.contains(COUNT));
    }

    @Test
    void totalsWhenCountedThenOneStatementReadsTheCounts() {
        fixture.registries.totalsMaintenance().run();
        recording.clear();

        fixture.registry.totals();

        assertThat(recording.statements()).singleElement().isEqualTo(JdbcKeyTotals.TOTALS.replaceAll(":\\w+", "?"));
    }

    /** Otherwise, the change would be removed without having been counted. */
    @Test
    void runWhenChangeIsCommittedMeanwhileThenStaysRight() throws Exception {
        assumeThat(kind).as("a file has one writer").isEqualTo(DatabaseKind.POSTGRESQL);
        fixture.issue();
        RegistryFixture writer = unrecorded();
        try (TestThreads threads = new TestThreads()) {
            recording.before(
                    "DELETE FROM _credential_api_key_totals",
                    () -> Patience.until(CompletableFuture.runAsync(writer::issue, threads)::isDone));

            fixture.registries.totalsMaintenance().run();
        }

        assertThat(fixture.registry.totals()).isEqualTo(new ApiKeyTotals(2, 0, 0, 0));
    }

    @Test
    void runWhenNotLeaderThenDoesNothing() {
        fixture.issue();
        recording.clear();
        epoch.set(0);

        fixture.registries.totalsMaintenance().run();

        assertThat(recording.statements()).isEmpty();
    }

    @Test
    void runWhenElectedAgainThenCountsAgain() {
        fixture.registries.totalsMaintenance().run();
        epoch.set(3); // another node led between two runs
        recording.clear();

        fixture.registries.totalsMaintenance().run();

        assertThat(recording.statements())
                .filteredOn(sql -> sql.contains(COUNT))
                .hasSize(2);
    }

    @Test
    void runWhenCountFailsThenTriedAgain() {
        fixture.registries.get(other).issue(IssueRequest.forOwner("user-42"));
        recording.refuse(COUNT);
        fixture.registries.totalsMaintenance().run();
        recording.allowAll();
        recording.clear();

        fixture.registries.totalsMaintenance().run();

        assertThat(recording.statements())
                .filteredOn(sql -> sql.contains(COUNT))
                .as("one for each registry: the failure of the first did not end the run")
                .hasSize(2);
        assertThat(fixture.registries.get(other).totals()).isEqualTo(new ApiKeyTotals(1, 0, 0, 0));
    }

    private RegistryFixture unrecorded() {
        return new RegistryFixture(unrecorded, fixture.keyring, fixture.namespace);
    }

    private int rows() {
        return fixture.jdbc()
                .sql("SELECT count(*) FROM _credential_api_key_totals WHERE namespace = :namespace")
                .param("namespace", fixture.namespace)
                .query(Integer.class)
                .single();
    }

    private final class SwitchedLeadership implements Leadership {

        @Override
        public OptionalLong epoch() {
            return epoch.get() == 0 ? OptionalLong.empty() : OptionalLong.of(epoch.get());
        }

        @Override
        public void requireLeader() {}
    }
}
