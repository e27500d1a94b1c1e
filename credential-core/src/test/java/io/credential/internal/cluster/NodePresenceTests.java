package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import ch.qos.logback.classic.Level;

import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class NodePresenceTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(NodePresence.class);

    private final NodePresence a = node("a");
    private final NodePresence b = node("b");

    @AfterEach
    void removeRows() {
        a.close();
        b.close();
        DATABASE.jdbc().sql("DELETE FROM _credential_leases").update();
    }

    @Test
    void tickWhenAloneThenSilent() {
        a.tick();
        a.tick();

        assertThat(a.hasOthers()).isFalse();
        assertThat(logged.lines(Level.WARN)).isEmpty();
    }

    @Test
    void tickWhenAnotherRenewsThenEachWarnsOnce() {
        a.tick();
        passTime();
        b.tick();
        passTime();
        for (int round = 0; round < 3; round++) {
            a.tick();
            b.tick();
        }

        assertThat(a.hasOthers()).isTrue();
        assertThat(logged.lines(Level.WARN))
                .hasSize(2)
                .allSatisfy(warning -> assertThat(warning)
                        .contains("single mode", "credential.mode", "credential.cluster.advertised-url", "keyring"));
        assertThat(logged.lines(Level.WARN)).anyMatch(warning -> warning.contains("shares its database with node b/"));
        assertThat(logged.lines(Level.WARN)).anyMatch(warning -> warning.contains("shares its database with node a/"));
    }

    @Test
    void tickWhenTheOtherHasCrashedThenSilent() {
        node("a").tick();
        for (int round = 0; round < 3; round++) {
            passTime();
            a.tick();
        }

        assertThat(a.hasOthers()).as("it may be alive until its row expires").isTrue();
        assertThat(logged.lines(Level.WARN)).isEmpty();
    }

    @Test
    void hasOthersWhenTheRowHasExpiredThenFalse() {
        b.tick();
        DATABASE.jdbc().sql("UPDATE _credential_leases SET expires_at = 1").update();

        assertThat(a.hasOthers()).isFalse();
    }

    @Test
    void tickWhenAClusterLeadsThenWarns() {
        LeaseLeadership leader = new LeaseLeadership(
                DATABASE,
                Keyring.generate(new SecureRandom()),
                new LeaseSettings("leader", null, Duration.ofSeconds(10)),
                System::nanoTime,
                new SecureRandom(),
                NodeNotifications.none(),
                epoch -> {});
        leader.tick();
        passTime();
        a.tick();
        leader.tick();
        a.tick();

        assertThat(logged.lines(Level.WARN)).singleElement().asString().contains("leader/");
        leader.close();
    }

    @Test
    void announceThenRemovesExpiredRowsAndCloseItsOwn() {
        b.tick();
        DATABASE.jdbc().sql("UPDATE _credential_leases SET expires_at = 1").update();

        a.announce();
        assertThat(rows()).singleElement().asString().startsWith("node/a/");

        a.close();
        assertThat(rows()).isEmpty();
    }

    @Test
    void announceWhenOnSqliteThenWritesNothing() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            NodePresence alone = new NodePresence(sqlite.database(), "a", new SecureRandom());

            alone.announce();

            assertThat(alone.hasOthers()).isFalse();
            assertThat(sqlite.database()
                            .jdbc()
                            .sql("SELECT name FROM _credential_leases")
                            .query(String.class)
                            .list())
                    .isEmpty();
            alone.close();
        }
    }

    /** As if the rows had been written a second earlier, so that a renewal shows however fast it comes. */
    private static void passTime() {
        DATABASE.jdbc()
                .sql("UPDATE _credential_leases SET expires_at = expires_at - 1000")
                .update();
    }

    private static List<@Nullable String> rows() {
        return DATABASE.jdbc()
                .sql("SELECT name FROM _credential_leases")
                .query(String.class)
                .list();
    }

    private static NodePresence node(String nodeId) {
        return new NodePresence(DATABASE, nodeId, new SecureRandom());
    }
}
