package io.credential.apikey;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.cluster.LeaseLeadership;
import io.credential.cluster.LeaseSettings;
import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.testing.PoolKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Two nodes over one PostgreSQL and one keyring, however their pools are set. */
@ParameterizedClass(name = "{0}")
@EnumSource(PoolKind.class)
class ClusterTests {

    @AutoClose
    private final TestDatabase test;

    private final Keyring keyring = Keyring.generate(RegistryFixture.RANDOM);
    private final String namespace = RegistryFixture.newNamespace();
    private LeaseLeadership firstLease;
    private LeaseLeadership secondLease;
    private ApiKeyRegistry first;
    private ApiKeyRegistry second;

    ClusterTests(PoolKind pool) {
        this.test = TestDatabase.create(pool);
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
        LeaseSettings settings = new LeaseSettings(
                node, "https://" + node.replace(' ', '-') + ".example", Duration.ofHours(1), Duration.ofMinutes(1));
        return new LeaseLeadership(test.database(), settings, System::nanoTime, RegistryFixture.RANDOM);
    }
}
