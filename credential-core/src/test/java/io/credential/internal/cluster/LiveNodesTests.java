package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.internal.cluster.LiveNodes.Found;
import io.credential.keyring.internal.ClusterKeys;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class LiveNodesTests {

    private static final Found NOBODY = new Found(null, null, List.of());

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    private final LiveNodes nodes = new LiveNodes(DATABASE, LeaseCluster.KEYRING);

    @AfterEach
    void removeRows() {
        DATABASE.jdbc().sql("DELETE FROM _credential_leases").update();
        DATABASE.jdbc().sql("DELETE FROM _credential_cluster_keys").update();
    }

    @Test
    void findWhenNoNodeRunsThenNobody() {
        assertThat(nodes.find()).isEqualTo(NOBODY);
    }

    @Test
    void findWhenOneLeadsThenHasItsUrl() {
        try (LeaseCluster cluster = new LeaseCluster(DATABASE)) {
            cluster.node("a", "https://a.example", LeaseCluster.LEASE).tick();

            assertThat(nodes.find()).isEqualTo(new Found("a", "https://a.example", List.of()));
        }
    }

    @Test
    void findWhenLeaseHasExpiredThenNobodyLeads() {
        try (LeaseCluster cluster = new LeaseCluster(DATABASE)) {
            cluster.node("a", "https://a.example", LeaseCluster.LEASE).tick();
            cluster.expireLease();

            assertThat(nodes.find()).isEqualTo(NOBODY);
        }
    }

    /** Operators follow the URL with their credentials. */
    @Test
    void findWhenLeaderIsForgedThenNamesNobody() {
        try (LeaseCluster cluster = new LeaseCluster(DATABASE)) {
            cluster.node("a", "https://a.example", LeaseCluster.LEASE).tick();
            DATABASE.jdbc()
                    .sql("UPDATE _credential_leases SET advertised_url = 'https://evil.example'")
                    .update();

            assertThat(nodes.find()).isEqualTo(NOBODY);
        }
    }

    @Test
    void findWhenNodesAnnounceTheirKeysThenNamesThem() {
        Keyring keyring = LeaseCluster.KEYRING;
        try (ClusterKeys b = new ClusterKeys(DATABASE, "b", new SecureRandom());
                ClusterKeys a = new ClusterKeys(DATABASE, "a", new SecureRandom());
                ClusterKeys other = new ClusterKeys(DATABASE, "a", new SecureRandom())) {
            b.announce(keyring);
            a.announce(keyring);
            other.announce(keyring);

            assertThat(nodes.find().nodes()).containsExactly("a", "a", "b");
        }
        assertThat(nodes.find()).isEqualTo(NOBODY);
    }

    @Test
    void findWhenSingleNodesShareADatabaseThenNamesThem() {
        try (NodePresence a = new NodePresence(DATABASE, "a", new SecureRandom())) {
            a.tick();

            assertThat(nodes.find()).isEqualTo(new Found(null, null, List.of("a")));
        }
    }

    @Test
    void findWhenNameIsNotOfNodeThenLeftOut() {
        DATABASE.jdbc()
                .sql(
                        "INSERT INTO _credential_leases (name, holder, epoch, expires_at) VALUES ('node/x', :holder, 1, :at)")
                .params(Map.of("holder", "a\nb/0123456789abcdef", "at", Long.MAX_VALUE))
                .update();

        assertThat(nodes.find()).isEqualTo(NOBODY);
    }

    @Test
    void findWhenSqliteThenNobody() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            assertThat(new LiveNodes(file.database(), LeaseCluster.KEYRING).find())
                    .isEqualTo(NOBODY);
        }
    }
}
