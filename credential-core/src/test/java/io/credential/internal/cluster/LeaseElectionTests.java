package io.credential.internal.cluster;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.internal.notification.NodeNotifications;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static io.credential.internal.cluster.LeaseCluster.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** Which node gets the lease, and how long it leads. */
class LeaseElectionTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    @AutoClose
    private final LeaseCluster cluster = new LeaseCluster(DATABASE);

    private final LeaseLeadership a = cluster.node("a", "https://a.example", LEASE);
    private final LeaseLeadership b = cluster.node("b", "https://b.example", LEASE);

    @Test
    void tickThenFirstNodeToAskIsTheOnlyLeader() {
        a.tick();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThat(b.isLeader()).isFalse();
        assertThatNoException().isThrownBy(() -> cluster.guarded(a));
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> cluster.guarded(b))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://a.example"));
    }

    @RepeatedTest(5)
    void tickWhenNodesAskAtOnceThenElectOne() {
        List<LeaseLeadership> nodes = List.of(a, b, cluster.node("c", null, LEASE), cluster.node("d", null, LEASE));

        atOnce(nodes);
        assertThat(nodes).filteredOn(LeaseLeadership::isLeader).hasSize(1);

        cluster.expireLease();
        atOnce(nodes.stream().filter(node -> !node.isLeader()).toList());
        assertThat(nodes).filteredOn(this::passesItsGuard).hasSize(1);
        assertThat(cluster.epoch()).isEqualTo(2);
    }

    private static void atOnce(List<LeaseLeadership> nodes) {
        InParallel.run(
                nodes.stream().map(node -> Executors.callable(node::tick)).toList());
    }

    private boolean passesItsGuard(LeaseLeadership node) {
        try {
            cluster.guarded(node);
            return true;
        } catch (LeadershipRequiredException e) {
            return false;
        }
    }

    @Test
    void tickWhenLeaseHasExpiredThenAnotherNodeTakesOver() {
        a.tick();
        b.tick();
        assertThat(b.isLeader()).isFalse();

        cluster.expireLease();
        b.tick();

        assertThat(b.isLeader()).isTrue();
        assertThat(cluster.epoch()).isEqualTo(2);
        assertThatNoException().isThrownBy(() -> cluster.guarded(b));
    }

    @Test
    void tickWhenDatabaseClockWentBackThenTakesOver() {
        a.tick();
        cluster.expireLeaseIn(LEASE.plusMinutes(1));

        b.tick();

        assertThat(b.isLeader()).isTrue();
        assertThat(cluster.epoch()).isEqualTo(2);
        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(a));
    }

    @Test
    void tickWhenDatabaseClockWentBackThenLeaderRenews() {
        a.tick();
        cluster.expireLeaseIn(LEASE.plusMinutes(1));

        a.tick();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThat(b.isLeader()).isFalse();
        assertThat(cluster.epoch()).isEqualTo(1);
    }

    @Test
    void tickWhenExpiredButNotTakenThenRenewsUnderItsEpoch() {
        a.tick();
        cluster.expireLease();
        a.tick();

        assertThat(cluster.epoch()).isEqualTo(1);
        assertThatNoException().isThrownBy(() -> cluster.guarded(a));
    }

    @Test
    void nodesWhenOfOneNameThenToldApart() {
        try (LeaseLeadership namesake = cluster.node("a", null, LEASE)) {
            a.tick();
            namesake.tick();

            assertThat(namesake.isLeader()).isFalse();
            assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(namesake));
        }
    }

    /** A node that stops before its commit would keep the lease locked for as long as it is stopped. */
    @Test
    void tickThenIsCommittedByTheDatabaseItself() {
        CredentialDatabase stopping = CredentialDatabase.of(new DelegatingDataSource(SERVER.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return withoutCommit(super.getConnection());
            }
        });
        try (LeaseLeadership node = cluster.node(stopping, "c", LEASE, epoch -> {})) {
            node.tick();
            assertThat(node.isLeader()).isTrue();
            cluster.expireLeaseIn(Duration.ofMinutes(1));
            node.tick();
            assertThat(cluster.expiresAt()).isGreaterThan(System.currentTimeMillis() + LEASE.toMillis() / 2);
            InParallel.elsewhere(() -> {
                cluster.expireLease();
                b.tick();
            });
            node.tick();
            assertThat(node.isLeader()).isFalse();
            cluster.expireLease();
            node.tick();
            assertThat(node.isLeader()).isTrue();
        }
    }

    private static Connection withoutCommit(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        throw new SQLException("The node stopped before the commit");
                    }
                    return method.invoke(connection, arguments);
                });
    }

    @Test
    void isLeaderWhenLeaseMustHaveEndedThenFalse() {
        a.tick();

        cluster.nanos.addAndGet(LEASE.toNanos() - 1);
        assertThat(a.isLeader()).isTrue();
        cluster.nanos.incrementAndGet();
        assertThat(a.isLeader()).isFalse();

        a.tick();
        assertThat(a.isLeader()).isTrue();
    }

    @Test
    void closeThenNextTickOfAnotherNodeWins() {
        a.tick();
        b.tick();
        a.close();

        assertThat(a.isLeader()).isFalse();
        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(a));
        b.tick();
        assertThat(b.isLeader()).isTrue();
    }

    @Test
    void closeWhenAnotherNodeHasTakenOverThenItsLeaseStays() {
        a.tick();
        cluster.expireLease();
        b.tick();

        a.close();

        assertThatNoException().isThrownBy(() -> cluster.guarded(b));
    }

    @Test
    void tickWhenClosedThenDoesNotLeadAgain() {
        a.tick();
        a.close();
        a.tick();

        assertThat(a.isLeader()).isFalse();
        b.tick();
        assertThat(b.isLeader()).isTrue();
    }

    @Test
    void startThenLeadsAtOnceAndRenewsInThreadUntilClose() throws Exception {
        CountDownLatch ticks = new CountDownLatch(4);
        LeaseSettings often = new LeaseSettings("often", null, Duration.ofMillis(100));
        LeaseLeadership node = new LeaseLeadership(
                DATABASE,
                LeaseCluster.KEYRING,
                often,
                () -> {
                    ticks.countDown();
                    return 0;
                },
                new SecureRandom(),
                NodeNotifications.none(),
                epoch -> {});

        node.start();
        assertThat(node.isLeader()).isTrue();
        assertThatIllegalStateException().isThrownBy(node::start);
        Patience.await(ticks);
        Patience.untilAsserted(
                () -> assertThat(LiveThreads.named("credential-lease")).hasSize(2));

        List<Thread> own = LiveThreads.named("credential-lease");
        node.close();
        own.forEach(Patience::join);
        b.tick();
        assertThat(b.isLeader()).isTrue();
        assertThatIllegalStateException().isThrownBy(node::start);
    }

    @Test
    void constructorWhenDatabaseIsSqliteThenRefused() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            CredentialDatabase sqlite = file.database();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LeaseLeadership(
                            sqlite,
                            LeaseCluster.KEYRING,
                            new LeaseSettings("a", null, LEASE),
                            cluster.nanos::get,
                            new SecureRandom(),
                            NodeNotifications.none(),
                            epoch -> {}))
                    .withMessageContaining("SQLITE");
        }
    }
}
