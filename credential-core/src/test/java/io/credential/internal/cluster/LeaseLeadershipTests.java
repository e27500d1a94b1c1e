package io.credential.internal.cluster;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionException;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.LiveThreads;
import io.credential.testing.LocalNotifications;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaseLeadershipTests {

    private static final Duration LEASE = Duration.ofMinutes(10);

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();
    private static final Keyring KEYRING = Keyring.generate(new SecureRandom());

    private final AtomicLong nanos = new AtomicLong();
    private final LeaseLeadership a = node("a", "https://a.example", LEASE);
    private final LeaseLeadership b = node("b", "https://b.example", LEASE);

    @AfterEach
    void removeLease() {
        a.close();
        b.close();
        DATABASE.jdbc().sql("DELETE FROM _credential_leases").update();
    }

    @Test
    void tickThenFirstNodeToAskIsTheOnlyLeader() {
        a.tick();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThat(b.isLeader()).isFalse();
        assertThatNoException().isThrownBy(() -> guarded(a));
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> guarded(b))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://a.example"));
    }

    @RepeatedTest(5)
    void tickWhenNodesAskAtOnceThenElectOne() {
        List<LeaseLeadership> nodes = List.of(a, b, node("c", null, LEASE), node("d", null, LEASE));

        atOnce(nodes);
        assertThat(nodes).filteredOn(LeaseLeadership::isLeader).hasSize(1);

        expire();
        atOnce(nodes.stream().filter(node -> !node.isLeader()).toList());
        assertThat(nodes).filteredOn(this::passesItsGuard).hasSize(1);
        assertThat(epoch()).isEqualTo(2);
    }

    @Test
    void requireLeaderWhenNobodyLeadsThenNoUrlIsKnown() {
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> guarded(a))
                .withMessageContaining("retry in a few seconds")
                .satisfies(e -> assertThat(e.leader()).isNull())
                .satisfies(e -> assertThat(e.leaderUrl()).isNull());
    }

    @Test
    void requireLeaderWhenNoUrlIsAdvertisedThenNamesLeader() {
        try (LeaseLeadership silent = node("silent/1", null, LEASE)) {
            silent.tick();

            assertThatExceptionOfType(LeadershipRequiredException.class)
                    .isThrownBy(() -> guarded(b))
                    .withMessageContainingAll("'silent/1'", "credential.cluster.advertised-url")
                    .withMessageNotContaining("retry")
                    .satisfies(e -> assertThat(e.leader()).isEqualTo("silent/1"))
                    .satisfies(e -> assertThat(e.leaderUrl()).isNull());
        }
    }

    @Test
    void requireLeaderWhenNotInTransactionThenIllegalState() {
        a.tick();

        assertThatIllegalStateException().isThrownBy(a::requireLeader);
    }

    @Test
    void tickWhenLeaseHasExpiredThenAnotherNodeTakesOver() {
        a.tick();
        b.tick();
        assertThat(b.isLeader()).isFalse();

        expire();
        b.tick();

        assertThat(b.isLeader()).isTrue();
        assertThat(epoch()).isEqualTo(2);
        assertThatNoException().isThrownBy(() -> guarded(b));
    }

    @Test
    void tickWhenDatabaseClockWentBackThenTakesOver() {
        a.tick();
        expireIn(LEASE.plusMinutes(1));

        b.tick();

        assertThat(b.isLeader()).isTrue();
        assertThat(epoch()).isEqualTo(2);
        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(a));
    }

    @Test
    void tickWhenDatabaseClockWentBackThenLeaderRenews() {
        a.tick();
        expireIn(LEASE.plusMinutes(1));

        a.tick();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThat(b.isLeader()).isFalse();
        assertThat(epoch()).isEqualTo(1);
    }

    /** A failover to an asynchronous replica loses the last term. */
    @Test
    void requireLeaderWhenEpochIsGrantedTwiceThenRefused() {
        a.tick();
        expire();
        b.tick();
        DATABASE.jdbc()
                .sql("UPDATE _credential_leases SET holder = 'a/replicated', epoch = 1, expires_at = 0")
                .update();

        try (LeaseLeadership c = node("c", null, LEASE)) {
            c.tick();

            assertThat(epoch()).isEqualTo(2);
            assertThatNoException().isThrownBy(() -> guarded(c));
            assertThat(b.isLeader()).isTrue();
            assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(b));
        }
    }

    @Test
    void requireLeaderWhenTakenOverUnnoticedThenRefused() {
        a.tick();
        expire();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> guarded(a))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://b.example"));

        a.tick();
        assertThat(a.isLeader()).isFalse();
    }

    @Test
    void requireLeaderWhenExpiredButNotTakenThenRefused() {
        a.tick();
        expire();

        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(a));
    }

    @Test
    void requireLeaderWhenOnlyTheEpochIsAnotherThenRefused() {
        a.tick();
        assertThatNoException().isThrownBy(() -> guarded(a));

        DATABASE.jdbc().sql("UPDATE _credential_leases SET epoch = epoch + 1").update();

        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(a));
    }

    @Test
    void tickWhenExpiredButNotTakenThenRenewsUnderItsEpoch() {
        a.tick();
        expire();
        a.tick();

        assertThat(epoch()).isEqualTo(1);
        assertThatNoException().isThrownBy(() -> guarded(a));
    }

    @Test
    void nodesWhenOfOneNameThenToldApart() {
        try (LeaseLeadership namesake = node("a", null, LEASE)) {
            a.tick();
            namesake.tick();

            assertThat(namesake.isLeader()).isFalse();
            assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(namesake));
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
        try (LeaseLeadership node = node(stopping, "c", LEASE, epoch -> {})) {
            node.tick();
            assertThat(node.isLeader()).isTrue();
            expireIn(Duration.ofMinutes(1));
            node.tick();
            assertThat(expiresAt()).isGreaterThan(System.currentTimeMillis() + LEASE.toMillis() / 2);
            InParallel.elsewhere(() -> {
                expire();
                b.tick();
            });
            node.tick();
            assertThat(node.isLeader()).isFalse();
            expire();
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
    void guardedTransactionWhenOpenThenNobodyTakesOver() {
        a.tick();
        DATABASE.inTransaction(() -> {
            a.requireLeader();
            InParallel.elsewhere(this::expire);
            InParallel.elsewhere(b::tick);
            assertThat(b.isLeader()).isFalse();
            return null;
        });

        b.tick();

        assertThat(b.isLeader()).isTrue();
    }

    @Test
    void guardedTransactionWhenOpenThenRenewalIsNotHeldUp() {
        a.tick();
        expireIn(Duration.ofMinutes(5));
        long before = expiresAt();

        DATABASE.inTransaction(() -> {
            a.requireLeader();
            InParallel.elsewhere(a::tick);
            return null;
        });

        assertThat(expiresAt()).isGreaterThan(before);
        assertThat(epoch()).isEqualTo(1);
    }

    @Test
    void guardedTransactionWhenStalledThenDatabaseEndsIt() {
        try (LeaseLeadership hasty = node("hasty", null, Duration.ofSeconds(2))) {
            Patience.until(() -> {
                hasty.tick();
                return hasty.isLeader();
            });
            expireIn(LEASE); // what ends the transaction is its own limit, and not the lease

            assertThatThrownBy(() -> DATABASE.inTransaction(() -> {
                        hasty.requireLeader();
                        // Waits for the lock that this very transaction holds, until the database has ended it.
                        InParallel.elsewhere(LeaseLeadershipTests::lockLease);
                        return DATABASE.jdbc()
                                .sql("SELECT 1")
                                .query(Integer.class)
                                .single();
                    }))
                    .isInstanceOfAny(DataAccessException.class, TransactionException.class);
            expire();
            b.tick();
            assertThat(b.isLeader()).isTrue();
        }
    }

    @Test
    void requireLeaderThenLimitsTheTransactionAlone() {
        a.tick();

        DATABASE.inTransaction(() -> {
            a.requireLeader();
            assertThat(setting("statement_timeout")).isEqualTo("10min");
            assertThat(setting("idle_in_transaction_session_timeout")).isEqualTo("10min");
            return null;
        });

        assertThat(setting("statement_timeout")).isEqualTo("0");
    }

    @Test
    void requireLeaderWhenCallersLimitIsShorterThenItStays() {
        a.tick();

        DATABASE.inTransaction(() -> {
            limit("statement_timeout", "9min");
            limit("idle_in_transaction_session_timeout", "1d");
            a.requireLeader();
            assertThat(setting("statement_timeout")).isEqualTo("9min");
            assertThat(setting("idle_in_transaction_session_timeout")).isEqualTo("10min");
            return null;
        });
    }

    @Test
    void isLeaderWhenLeaseMustHaveEndedThenFalse() {
        a.tick();

        nanos.addAndGet(LEASE.toNanos() - 1);
        assertThat(a.isLeader()).isTrue();
        nanos.incrementAndGet();
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
        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> guarded(a));
        b.tick();
        assertThat(b.isLeader()).isTrue();
    }

    @Test
    void closeWhenAnotherNodeHasTakenOverThenItsLeaseStays() {
        a.tick();
        expire();
        b.tick();

        a.close();

        assertThatNoException().isThrownBy(() -> guarded(b));
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
                KEYRING,
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
    void observerThenHearsEpochUntilLeaseHasEnded() {
        List<OptionalLong> heard = new ArrayList<>();
        try (LeaseLeadership node = node(DATABASE, "seen", LEASE, heard::add)) {
            node.tick();
            assertThat(heard).containsExactly(OptionalLong.of(1));

            expire();
            b.tick();
            node.tick();
            assertThat(heard).containsExactly(OptionalLong.of(1), OptionalLong.empty());
            b.close();
            node.tick();
        }

        assertThat(heard)
                .containsExactly(OptionalLong.of(1), OptionalLong.empty(), OptionalLong.of(3), OptionalLong.empty());
    }

    @Test
    void observerWhenRenewalHangsThenHearsThatLeaseEnded() {
        AtomicBoolean hangs = new AtomicBoolean();
        CountDownLatch renewing = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        CredentialDatabase hanging = CredentialDatabase.of(new DelegatingDataSource(SERVER.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (hangs.get()) {
                    renewing.countDown();
                    Patience.await(answered);
                }
                return super.getConnection();
            }
        });
        Duration lease = Duration.ofMillis(100);
        List<OptionalLong> heard = new CopyOnWriteArrayList<>();
        try (LeaseLeadership node = node(hanging, "hanging", lease, heard::add)) {
            node.start();
            hangs.set(true);
            Patience.await(renewing);
            assertThat(heard).containsOnly(OptionalLong.of(1));

            nanos.addAndGet(lease.toNanos());

            Patience.until(() -> heard.contains(OptionalLong.empty()));
            hangs.set(false);
            answered.countDown();
            Patience.until(node::isLeader); // the renewal that hung is over
        }
    }

    @Test
    void closeThenObserverHearsItBeforeOtherNodes() {
        List<String> told = new ArrayList<>();
        LocalNotifications network = new LocalNotifications();
        NodeNotifications.Subscription others = network.node().subscribe("leadership", new NotificationListener() {
            @Override
            public void received(String text) {
                told.add(text);
            }

            @Override
            public void missed() {}
        });
        LeaseLeadership leader = node("leader", network.node(), epoch -> told.add(epoch.toString()));
        leader.tick();

        leader.close();

        assertThat(told).containsExactly("OptionalLong[1]", "OptionalLong.empty", "released");
        others.close();
    }

    @Test
    void closeWhenLeaderThenNotifiedNodeTakesOver() {
        LocalNotifications network = new LocalNotifications();
        LocalNotifications.Node notified = network.node();
        LeaseLeadership leader = node("leader", network.node());
        LeaseLeadership follower = node("follower", notified);
        leader.start();
        follower.start();
        assertThat(follower.isLeader()).isFalse();

        leader.close();

        Patience.until(follower::isLeader);
        follower.close();
        assertThat(notified.published()).containsExactly("leadership released");
    }

    @Test
    void closeWhenChangeIsOpenThenTakeoverIsRetried() {
        AtomicInteger attempts = new AtomicInteger();
        LocalNotifications network = new LocalNotifications();
        LeaseLeadership leader = node("leader", network.node());
        try (LeaseLeadership follower = node("follower", network.node(), epoch -> attempts.incrementAndGet())) {
            leader.start();
            follower.start();
            DATABASE.inTransaction(() -> {
                leader.requireLeader();
                InParallel.elsewhere(leader::close);
                int before = attempts.get();
                Patience.until(() -> attempts.get() > before);
                return null;
            });

            Patience.until(follower::isLeader);
        }
    }

    @Test
    void startWhenChangeIsOpenThenTakeoverIsRetried() {
        a.tick();
        try (LeaseLeadership follower = node("follower", NodeNotifications.none())) {
            DATABASE.inTransaction(() -> {
                a.requireLeader();
                InParallel.elsewhere(a::close);
                follower.start();
                assertThat(follower.isLeader()).isFalse();
                return null;
            });

            Patience.until(follower::isLeader);
        }
    }

    @Test
    void closeWhenFollowerThenNoNotification() {
        LocalNotifications.Node notifications = new LocalNotifications().node();
        a.tick();
        LeaseLeadership follower = node("follower", notifications);
        follower.start();

        follower.close();

        assertThat(notifications.published()).isEmpty();
    }

    @Test
    void releasedWhenNodeIsLeaderThenDoesNotAsk() {
        AtomicInteger asked = new AtomicInteger();
        LocalNotifications network = new LocalNotifications();
        LocalNotifications.Node foreign = network.node();
        Duration lease = Duration.ofDays(1); // while it lasts, only attempts are observed
        LeaseLeadership other = node("other", null, lease); // one with a shorter lease would take over
        try (LeaseLeadership leader = new LeaseLeadership(
                DATABASE,
                KEYRING,
                new LeaseSettings("leader", null, lease),
                nanos::get,
                new SecureRandom(),
                network.node(),
                epoch -> asked.incrementAndGet())) {
            leader.start();

            foreign.publish("leadership", "released");
            for (int i = 0; i < 20; i++) {
                other.tick(); // takes about as long as an attempt of the leader
            }
            assertThat(asked).hasValue(1);

            nanos.addAndGet(lease.toNanos()); // no longer the leader, as far as it knows
            foreign.publish("leadership", "released");
            Patience.until(() -> asked.get() > 1);
            assertThat(asked).as("the first message caused no attempt").hasValue(2);
        }
    }

    @Test
    void missedWhenLeaseWasReleasedThenTakesOver() {
        LocalNotifications.Node notifications = new LocalNotifications().node();
        a.tick();
        try (LeaseLeadership follower = node("follower", notifications)) {
            follower.start();
            a.close();

            notifications.reconnect();

            Patience.until(follower::isLeader);
        }
    }

    @Test
    void constructorWhenDatabaseIsSqliteThenRefused() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            CredentialDatabase sqlite = file.database();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LeaseLeadership(
                            sqlite,
                            KEYRING,
                            new LeaseSettings("a", null, LEASE),
                            nanos::get,
                            new SecureRandom(),
                            NodeNotifications.none(),
                            epoch -> {}))
                    .withMessageContaining("SQLITE");
        }
    }

    /** One that looks at the lease every 20 minutes by itself. */
    private LeaseLeadership node(String id, NodeNotifications notifications) {
        return node(id, notifications, epoch -> {});
    }

    private LeaseLeadership node(String id, NodeNotifications notifications, Consumer<OptionalLong> observer) {
        return new LeaseLeadership(
                DATABASE,
                KEYRING,
                new LeaseSettings(id, null, Duration.ofHours(1)),
                nanos::get,
                new SecureRandom(),
                notifications,
                observer);
    }

    private LeaseLeadership node(
            CredentialDatabase database, String id, Duration lease, Consumer<OptionalLong> observer) {
        return new LeaseLeadership(
                database,
                KEYRING,
                new LeaseSettings(id, null, lease),
                nanos::get,
                new SecureRandom(),
                NodeNotifications.none(),
                observer);
    }

    private LeaseLeadership node(String id, @Nullable String url, Duration lease) {
        return new LeaseLeadership(
                DATABASE,
                KEYRING,
                new LeaseSettings(id, url, lease),
                nanos::get,
                new SecureRandom(),
                NodeNotifications.none(),
                epoch -> {});
    }

    private static void atOnce(List<LeaseLeadership> nodes) {
        InParallel.run(
                nodes.stream().map(node -> Executors.callable(node::tick)).toList());
    }

    private boolean passesItsGuard(LeaseLeadership node) {
        try {
            guarded(node);
            return true;
        } catch (LeadershipRequiredException e) {
            return false;
        }
    }

    private static void guarded(LeaseLeadership node) {
        Supplier<String> change = () -> {
            node.requireLeader();
            return "changed";
        };
        DATABASE.inTransaction(change);
    }

    private void expire() {
        DATABASE.jdbc().sql("UPDATE _credential_leases SET expires_at = 0").update();
    }

    private static void expireIn(Duration time) {
        DATABASE.jdbc()
                .sql("UPDATE _credential_leases SET expires_at ="
                        + " CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) + :time")
                .param("time", time.toMillis())
                .update();
    }

    private static void lockLease() {
        DATABASE.inTransaction(() -> DATABASE.jdbc()
                .sql("SELECT epoch FROM _credential_leases FOR UPDATE")
                .query(Long.class)
                .single());
    }

    private static long expiresAt() {
        return DATABASE.jdbc()
                .sql("SELECT expires_at FROM _credential_leases")
                .query(Long.class)
                .single();
    }

    private static long epoch() {
        return DATABASE.jdbc()
                .sql("SELECT epoch FROM _credential_leases")
                .query(Long.class)
                .single();
    }

    private static void limit(String setting, String value) {
        DATABASE.jdbc()
                .sql("SELECT set_config(:setting, :value, true)")
                .param("setting", setting)
                .param("value", value)
                .query(String.class)
                .single();
    }

    private static String setting(String name) {
        return DATABASE.jdbc()
                .sql("SELECT current_setting(:name)")
                .param("name", name)
                .query(String.class)
                .single();
    }
}
