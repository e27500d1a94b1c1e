package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.LocalNotifications;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static io.credential.internal.cluster.LeaseCluster.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

/** Who hears that the leadership has ended, and how another node takes over at once. */
class LeadershipHandoverTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    @AutoClose
    private final LeaseCluster cluster = new LeaseCluster(DATABASE);

    private final LeaseLeadership a = cluster.node("a", "https://a.example", LEASE);
    private final LeaseLeadership b = cluster.node("b", "https://b.example", LEASE);

    @Test
    void observerThenHearsEpochUntilLeaseHasEnded() {
        List<OptionalLong> heard = new ArrayList<>();
        try (LeaseLeadership node = cluster.node(DATABASE, "seen", LEASE, heard::add)) {
            node.tick();
            assertThat(heard).containsExactly(OptionalLong.of(1));

            cluster.expireLease();
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
        try (LeaseLeadership node = cluster.node(hanging, "hanging", lease, heard::add)) {
            node.start();
            hangs.set(true);
            Patience.await(renewing);
            assertThat(heard).containsOnly(OptionalLong.of(1));

            cluster.nanos.addAndGet(lease.toNanos());

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
        LeaseLeadership leader = cluster.node("leader", network.node(), epoch -> told.add(epoch.toString()));
        leader.tick();

        leader.close();

        assertThat(told).containsExactly("OptionalLong[1]", "OptionalLong.empty", "released");
        others.close();
    }

    @Test
    void closeWhenLeaderThenNotifiedNodeTakesOver() {
        LocalNotifications network = new LocalNotifications();
        LocalNotifications.Node notified = network.node();
        LeaseLeadership leader = cluster.node("leader", network.node());
        LeaseLeadership follower = cluster.node("follower", notified);
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
        LeaseLeadership leader = cluster.node("leader", network.node());
        try (LeaseLeadership follower = cluster.node("follower", network.node(), epoch -> attempts.incrementAndGet())) {
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
        try (LeaseLeadership follower = cluster.node("follower", NodeNotifications.none())) {
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
        LeaseLeadership follower = cluster.node("follower", notifications);
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
        LeaseLeadership other = cluster.node("other", null, lease); // one with a shorter lease would take over
        try (LeaseLeadership leader = new LeaseLeadership(
                DATABASE,
                LeaseCluster.KEYRING,
                new LeaseSettings("leader", null, lease),
                cluster.nanos::get,
                new SecureRandom(),
                network.node(),
                epoch -> asked.incrementAndGet())) {
            leader.start();

            foreign.publish("leadership", "released");
            for (int i = 0; i < 20; i++) {
                other.tick(); // takes about as long as an attempt of the leader
            }
            assertThat(asked).hasValue(1);

            cluster.nanos.addAndGet(lease.toNanos()); // no longer the leader, as far as it knows
            foreign.publish("leadership", "released");
            Patience.until(() -> asked.get() > 1);
            assertThat(asked).as("the first message caused no attempt").hasValue(2);
        }
    }

    @Test
    void missedWhenLeaseWasReleasedThenTakesOver() {
        LocalNotifications.Node notifications = new LocalNotifications().node();
        a.tick();
        try (LeaseLeadership follower = cluster.node("follower", notifications)) {
            follower.start();
            a.close();

            notifications.reconnect();

            Patience.until(follower::isLeader);
        }
    }
}
