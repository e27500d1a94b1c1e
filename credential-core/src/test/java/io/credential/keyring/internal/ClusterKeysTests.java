package io.credential.keyring.internal;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import ch.qos.logback.classic.Level;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ClusterKeysTests {

    private static final SecureRandom RANDOM = new SecureRandom();

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(ClusterKeys.class);

    private final SecretBytes k1 = SecretBytes.random(32, RANDOM);
    private final SecretBytes k2 = SecretBytes.random(32, RANDOM);
    private final SecretBytes i1 = SecretBytes.random(32, RANDOM);
    private final SecretBytes i2 = SecretBytes.random(32, RANDOM);
    private final List<ClusterKeys> nodes = new ArrayList<>();

    @AfterEach
    void stop() {
        nodes.forEach(ClusterKeys::close);
        DATABASE.jdbc().sql("DELETE FROM _credential_cluster_keys").update();
    }

    @Test
    void announceWhenKeyringsAreEqualThenBothStart() {
        start("a", sealing("k1", Map.of("k1", k1)));

        assertThatNoException().isThrownBy(() -> start("b", sealing("k1", Map.of("k1", k1))));
    }

    @Test
    void announceWhenAnIdHasAnotherKeyThenRefused() {
        start("a", sealing("k1", Map.of("k1", k1, "old", k2)));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> start("b", sealing("k1", Map.of("k1", k1, "old", SecretBytes.random(32, RANDOM)))))
                .satisfies(e -> assertThat(e.problem())
                        .isEqualTo("The keyring of this node, 'b', does not match that of node 'a', which is running:"
                                + " key 'old' is a different key there."))
                .satisfies(e -> assertThat(e.remedy())
                        .contains(
                                "'credential.keyring.location'",
                                "first add the new key on every node",
                                "If node 'a' has crashed, its keys expire within 15 seconds"));
    }

    @Test
    void announceWhenOwnActiveKeyIsUnknownThenRefused() {
        start("a", sealing("k1", Map.of("k1", k1)));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> start("b", sealing("k2", Map.of("k1", k1, "k2", k2))))
                .withMessageContaining("key 'k2' is active here, but missing in 'a'.")
                .withMessageNotContaining("k1");
    }

    @Test
    void announceWhenActiveKeyOfAnotherIsUnknownThenRefused() {
        start("a", sealing("k2", Map.of("k1", k1, "k2", k2)));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> start("b", sealing("k1", Map.of("k1", k1))))
                .withMessageContaining("key 'k2' is active in 'a', but missing here.");
    }

    @Test
    void announceWhenActiveIndexKeyIsUnknownThenRefused() {
        start("a", indexing("i1", Map.of("i1", i1)));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> start("b", indexing("i2", Map.of("i1", i1, "i2", i2))))
                .withMessageContaining("index key 'i2' is active here, but missing in 'a'.");
    }

    @Test
    void announceWhenKeyIsReplacedNodeByNodeThenEachStarts() {
        Keyring old = sealing("k1", Map.of("k1", k1));
        Keyring added = sealing("k1", Map.of("k1", k1, "k2", k2));
        Keyring activated = sealing("k2", Map.of("k1", k1, "k2", k2));
        Keyring removed = sealing("k2", Map.of("k2", k2));

        assertThatNoException().isThrownBy(() -> {
            replaceAll(old);
            replaceAll(added);
            replaceAll(activated);
            replaceAll(removed);
        });
        assertThat(announced()).containsExactly("a k2", "a index/i1", "b k2", "b index/i1");
    }

    @Test
    void announceWhenRefusedThenNothingIsAnnounced() {
        start("a", sealing("k1", Map.of("k1", k1)));

        assertThatExceptionOfType(KeyringException.class).isThrownBy(() -> start("b", sealing("k2", Map.of("k2", k2))));

        assertThat(announced()).containsExactly("a k1", "a index/i1");
    }

    @Test
    void announceWhenTheOtherHasExpiredThenStarts() {
        start("a", sealing("k1", Map.of("k1", k1)));
        expire();

        start("b", sealing("k2", Map.of("k2", k2)));

        assertThat(announced()).containsExactly("b k2", "b index/i1");
    }

    @Test
    void announceWhenExpiryIsFarInTheFutureThenIgnored() {
        start("a", sealing("k1", Map.of("k1", k1)));
        set("expires_at = expires_at + 3600000");

        start("b", sealing("k2", Map.of("k2", k2)));

        assertThat(announced()).containsExactly("b k2", "b index/i1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node = E'a\\nforged' || substr(node, 2)",
                "node = 'a'",
                "check_id = E'k1\\nforged' || check_id",
                "check_id = '../' || check_id"
            })
    void announceWhenRowIsMalformedThenIgnored(String change) {
        start("a", sealing("k1", Map.of("k1", k1)));
        set(change);

        assertThatNoException().isThrownBy(() -> start("b", sealing("k2", Map.of("k2", k2))));
    }

    @Test
    void announceWhenThereAreTooManyRowsThenRefused() {
        ClusterKeys a = start("a", sealing("k1", Map.of("k1", k1)));
        DATABASE.jdbc().sql("""
                INSERT INTO _credential_cluster_keys (node, check_id, check_value, is_active, expires_at)
                SELECT 'x/' || i, 'k', 'v', 9223372036854775807, expires_at
                FROM generate_series(1, 10000) AS i, (SELECT max(expires_at) AS expires_at FROM _credential_cluster_keys) AS a
                """).update();

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> start("b", sealing("k1", Map.of("k1", k1))))
                .withMessageContaining("_credential_cluster_keys has 10000 or more rows");
        assertThatNoException().isThrownBy(a::tick);
    }

    @Test
    void announceWhenAnotherStartHangsThenRefused() throws SQLException {
        try (Connection other = SERVER.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE _credential_cluster_keys IN SHARE UPDATE EXCLUSIVE MODE");

            assertThatExceptionOfType(KeyringException.class)
                    .isThrownBy(() -> DATABASE.inTransaction(() -> {
                        DATABASE.jdbc().sql("SET LOCAL lock_timeout = '50ms'").update();
                        return started("b");
                    }))
                    .withMessageContainingAll("Another node is starting", "Start this node again");
            other.rollback();
        }
    }

    @Test
    void announceThenItsTransactionIsLimited() {
        List<String> limits = DATABASE.inTransaction(() -> {
            var unused = started("a");
            return List.of(show("lock_timeout"), show("idle_in_transaction_session_timeout"));
        });

        assertThat(limits).containsExactly("25s", "30s");
    }

    @RepeatedTest(5)
    void announceWhenNodesStartAtOnceThenOnlyOneKeyringDoes() {
        List<Keyring> keyrings = List.of(sealing("k1", Map.of("k1", k1)), sealing("k2", Map.of("k2", k2)));
        AtomicInteger next = new AtomicInteger();

        int started = InParallel.countSuccesses(8, 1, round -> {
            try {
                node("n").announceOnce(keyrings.get(next.getAndIncrement() % 2));
                return true;
            } catch (KeyringException e) {
                return false;
            }
        });

        assertThat(started).isEqualTo(4);
        List<String> sealing = announced().subList(0, 4);
        assertThat(sealing).containsOnly(sealing.get(0));
    }

    @Test
    void tickThenRenews() {
        ClusterKeys a = start("a", sealing("k1", Map.of("k1", k1)));
        expire();

        a.tick();

        assertThat(unexpired()).isEqualTo(2);
    }

    @Test
    void tickWhenAnotherStartedMeanwhileThenWarnsOnce() {
        ClusterKeys a = start("a", sealing("k1", Map.of("k1", k1)));
        expire();
        start("b", sealing("k2", Map.of("k2", k2)));

        a.tick();
        a.tick();

        assertThat(logged.lines(Level.WARN))
                .singleElement()
                .asString()
                .contains("'a'", "'b'", "key 'k1' is active here", "key 'k2' is active in 'b'");
    }

    @Test
    void announceThenRenewsUntilClosed() {
        ClusterKeys a = node("a");
        a.announce(sealing("k1", Map.of("k1", k1)));
        expire();
        Patience.until(() -> unexpired() == 2);

        a.close();

        assertThat(announced()).doesNotContain("a k1");
        LiveThreads.awaitNone("credential-cluster-keys");
    }

    @Test
    void closeThenNothingIsLeft() {
        ClusterKeys a = start("a", sealing("k1", Map.of("k1", k1)));

        a.close();

        assertThat(announced()).isEmpty();
    }

    @Test
    void announceThenStoresNoKey() {
        start("a", sealing("k1", Map.of("k1", k1)));

        assertThat(DATABASE.jdbc()
                        .sql("SELECT check_value FROM _credential_cluster_keys WHERE check_id = 'k1'")
                        .query(String.class)
                        .single())
                .isEqualTo(sealing("k1", Map.of("k1", k1)).checkValues().get("k1"));
    }

    @Test
    void constructorWhenNodeIdIsMalformedThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterKeys(DATABASE, "a\nb", RANDOM))
                .withMessageContaining("credential.cluster.node-id");
    }

    @Test
    void constructorWhenDatabaseIsSqliteThenRefused() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ClusterKeys(file.database(), "a", RANDOM))
                    .withMessageContaining("SQLITE");
        }
    }

    private Keyring sealing(String active, Map<String, SecretBytes> keys) {
        return Keyring.of(active, keys, "i1", Map.of("i1", i1));
    }

    private Keyring indexing(String active, Map<String, SecretBytes> indexKeys) {
        return Keyring.of("k1", Map.of("k1", k1), active, indexKeys);
    }

    private ClusterKeys start(String nodeId, Keyring keyring) {
        ClusterKeys node = node(nodeId);
        node.announceOnce(keyring);
        return node;
    }

    private ClusterKeys started(String nodeId) {
        return start(nodeId, sealing("k1", Map.of("k1", k1)));
    }

    private static String show(String setting) {
        return DATABASE.jdbc().sql("SHOW " + setting).query(String.class).single();
    }

    private synchronized ClusterKeys node(String nodeId) {
        ClusterKeys node = new ClusterKeys(DATABASE, nodeId, RANDOM);
        nodes.add(node);
        return node;
    }

    /** Restarts two nodes with another keyring, one after the other. */
    private void replaceAll(Keyring keyring) {
        for (int i = 0; i < 2; i++) {
            if (nodes.size() >= 2) {
                nodes.remove(0).close();
            }
            start(i == 0 ? "a" : "b", keyring);
        }
    }

    private static int unexpired() {
        return DATABASE.jdbc()
                .sql("SELECT count(*) FROM _credential_cluster_keys WHERE expires_at > 0")
                .query(Integer.class)
                .single();
    }

    private static void expire() {
        set("expires_at = 0");
    }

    private static void set(String change) {
        DATABASE.jdbc().sql("UPDATE _credential_cluster_keys SET " + change).update();
    }

    private static List<String> announced() {
        return DATABASE.jdbc()
                .sql("SELECT split_part(node, '/', 1) || ' ' || check_id FROM _credential_cluster_keys"
                        + " ORDER BY split_part(node, '/', 1), length(check_id), check_id")
                .query((row, index) -> row.getString(1))
                .list();
    }
}
