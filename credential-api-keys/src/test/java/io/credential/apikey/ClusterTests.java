package io.credential.apikey;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.internal.cluster.LeaseLeadership;
import io.credential.internal.cluster.LeaseSettings;
import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.EveryPool;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Two nodes over one PostgreSQL and one keyring, however their pools are set. */
@EveryPool
class ClusterTests {

    private final TestDatabase test;
    private final Keyring keyring = Keyring.generate(RegistryFixture.RANDOM);
    private final String namespace = RegistryFixture.newNamespace();
    private LeaseLeadership firstLease;
    private LeaseLeadership secondLease;
    private ApiKeyRegistry first;
    private ApiKeyRegistry second;

    ClusterTests(TestDatabase test) {
        this.test = test;
    }

    @BeforeEach
    void twoNodesOfWhichTheFirstLeads() {
        firstLease = lease("first");
        firstLease.start();
        secondLease = lease("second");
        secondLease.start();
        first = registry(firstLease);
        second = registry(secondLease);
    }

    @AfterEach
    void stop() {
        firstLease.close();
        secondLease.close();
    }

    @Test
    void changeWhenNodeDoesNotLeadThenRefusedWithLeaderUrl() {
        IssuedApiKey issued = first.issue(IssueRequest.forOwner("user-42"));

        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(() -> second.issue(IssueRequest.forOwner("user-42")))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://first.example"));
        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> second.revoke(issued.id()));
    }

    @Test
    void changeOfOwnerWhenNodeDoesNotLeadThenRefused() {
        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> second.revokeAllForOwner("user-42"));
        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> second.eraseAllForOwner("user-42"));
    }

    @Test
    void rotateWhenNodeDoesNotLeadThenKeyIsNotLookedUp() {
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(() -> second.rotate("0123456789abcdef", Rotation.immediate()));
    }

    @Test
    void updateWhenNodeDoesNotLeadThenKeyIsNotLookedUp() {
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(() -> second.update("0123456789abcdef", ApiKeyChanges.none()));
    }

    @Test
    void readWhenNodeDoesNotLeadThenWorksAndSeesRevocation() {
        IssuedApiKey issued = first.issue(IssueRequest.forOwner("user-42"));
        assertThat(second.verify(issued.key())).isPresent();
        assertThat(second.getById(issued.id())).isPresent();
        assertThat(second.listForOwner("user-42")).hasSize(1);

        first.revoke(issued.id());

        assertThat(second.verify(issued.key())).isEmpty();
    }

    @Test
    void changeWhenLeaderHasStoppedThenSuccessorDoesIt() {
        IssuedApiKey issued = first.issue(IssueRequest.forOwner("user-42"));
        firstLease.close();
        secondLease.close();
        secondLease = lease("second again");
        secondLease.start();
        ApiKeyRegistry successor = registry(secondLease);

        assertThat(successor.revoke(issued.id())).isTrue();
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(() -> first.issue(IssueRequest.forOwner("user-42")))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://second-again.example"));
    }

    @Test
    void changeWhenSnapshotIsOutdatedThenToBeRunAgain() {
        IssuedApiKey issued = first.issue(IssueRequest.forOwner("user-42"));
        TransactionTemplate callers = new TransactionTemplate(new JdbcTransactionManager(test.dataSource()));
        callers.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> callers.executeWithoutResult(status -> {
                    first.getById(issued.id());
                    InParallel.elsewhere(() -> first.disable(issued.id()));
                    first.revoke(issued.id());
                }))
                .withMessageContaining("retry the whole transaction")
                .withCauseInstanceOf(ConcurrencyFailureException.class)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(ApiKeyErrorCode.UNAVAILABLE));
        assertThat(first.revoke(issued.id())).isTrue();
    }

    private ApiKeyRegistry registry(LeaseLeadership leadership) {
        return new RegistryFixture(
                        CredentialDatabase.of(test.dataSource()),
                        keyring,
                        namespace,
                        options -> options,
                        builder -> builder.leadership(leadership))
                .registry;
    }

    private LeaseLeadership lease(String node) {
        LeaseSettings settings =
                new LeaseSettings(node, "https://" + node.replace(' ', '-') + ".example", Duration.ofHours(1));
        return new LeaseLeadership(
                test.migrate(JdbcApiKeyRegistries.SCHEMA),
                keyring,
                settings,
                System::nanoTime,
                RegistryFixture.RANDOM,
                NodeNotifications.none(),
                epoch -> {});
    }
}
