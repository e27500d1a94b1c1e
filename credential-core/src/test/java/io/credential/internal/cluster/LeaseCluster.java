package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;

/** Nodes that share a database, a keyring and a clock. Closing it closes them and removes their lease. */
final class LeaseCluster implements AutoCloseable {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Keyring KEYRING = Keyring.generate(new SecureRandom());

    /** The clock of the nodes. */
    final AtomicLong nanos = new AtomicLong();

    private final CredentialDatabase database;
    private final List<LeaseLeadership> nodes = new ArrayList<>();

    LeaseCluster(CredentialDatabase database) {
        this.database = database;
    }

    LeaseLeadership node(String id, @Nullable String url, Duration lease) {
        return node(database, new LeaseSettings(id, url, lease), NodeNotifications.none(), epoch -> {});
    }

    LeaseLeadership node(CredentialDatabase own, String id, Duration lease, Consumer<OptionalLong> observer) {
        return node(own, new LeaseSettings(id, null, lease), NodeNotifications.none(), observer);
    }

    /** One that looks at the lease every 20 minutes by itself. */
    LeaseLeadership node(String id, NodeNotifications notifications) {
        return node(id, notifications, epoch -> {});
    }

    LeaseLeadership node(String id, NodeNotifications notifications, Consumer<OptionalLong> observer) {
        return node(database, new LeaseSettings(id, null, Duration.ofHours(1)), notifications, observer);
    }

    private LeaseLeadership node(
            CredentialDatabase own,
            LeaseSettings settings,
            NodeNotifications notifications,
            Consumer<OptionalLong> observer) {
        LeaseLeadership node =
                new LeaseLeadership(own, KEYRING, settings, nanos::get, new SecureRandom(), notifications, observer);
        nodes.add(node);
        return node;
    }

    /** Makes a change that only the leader may make. */
    void guarded(LeaseLeadership node) {
        Supplier<String> change = () -> {
            node.requireLeader();
            return "changed";
        };
        database.inTransaction(change);
    }

    void expireLease() {
        database.jdbc().sql("UPDATE _credential_leases SET expires_at = 0").update();
    }

    void expireLeaseIn(Duration time) {
        database.jdbc()
                .sql("UPDATE _credential_leases SET expires_at ="
                        + " CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) + :time")
                .param("time", time.toMillis())
                .update();
    }

    long expiresAt() {
        return database.jdbc()
                .sql("SELECT expires_at FROM _credential_leases")
                .query(Long.class)
                .single();
    }

    long epoch() {
        return database.jdbc()
                .sql("SELECT epoch FROM _credential_leases")
                .query(Long.class)
                .single();
    }

    @Override
    public void close() {
        nodes.forEach(LeaseLeadership::close);
        database.jdbc().sql("DELETE FROM _credential_leases").update();
    }
}
