package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.RowValues;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * The row of the lease, as one holder sees it. PostgreSQL only: the database's clock decides, and its row locks keep a
 * takeover apart from guarded changes. Thread-safe.
 */
final class LeaseRow {

    static final String NAME = "registry";

    private static final int INCARNATION_BYTES = 8;

    private static final String NOW = SqlDialect.POSTGRESQL.now();

    private static final String INSERT = """
            INSERT INTO _credential_leases (name, holder, epoch, expires_at, advertised_url, row_mac)
            VALUES (:name, :holder, 1, %s + :duration, :url, :mac)
            ON CONFLICT (name) DO NOTHING""".formatted(NOW);

    /** The longest lease that a node can be configured with. */
    private static final long LONGEST_MILLIS = Duration.ofMinutes(5).toMillis();

    /**
     * A lease that ends later than any lease can was written by another clock, that of the server before a failover. If its
     * holder runs, it renews the lease by the new clock; if not, the lease must not delay a takeover until then.
     */
    private static final String IS_LIVE = "expires_at - %s BETWEEN 1 AND :longest".formatted(NOW);

    private static final String FIND_STATE = "SELECT %s FROM _credential_leases WHERE name = :name".formatted(IS_LIVE);

    /** A row locked by a change that is still open is left alone until the next attempt. */
    private static final String TAKE_OVER = """
            UPDATE _credential_leases
            SET holder = :holder, epoch = epoch + 1, expires_at = %s + :duration, advertised_url = :url,
                row_mac = :mac
            WHERE name = (
                SELECT name FROM _credential_leases WHERE name = :name AND NOT (%s)
                FOR UPDATE SKIP LOCKED)
            RETURNING epoch""".formatted(NOW, IS_LIVE);

    /** Touches no key column, so that it does not wait for the changes that hold the row FOR KEY SHARE. */
    private static final String RENEW = """
            UPDATE _credential_leases SET expires_at = %s + :duration
            WHERE name = :name AND holder = :holder AND epoch = :epoch""".formatted(NOW);

    private static final String RELEASE = """
            UPDATE _credential_leases SET expires_at = 0
            WHERE name = :name AND holder = :holder AND epoch = :epoch""";

    private static final String GUARD = """
            SELECT epoch FROM _credential_leases
            WHERE name = :name AND holder = :holder AND epoch = :epoch AND expires_at > %s
            FOR KEY SHARE""".formatted(NOW);

    private static final String FIND_LEADER = """
            SELECT holder, advertised_url, row_mac FROM _credential_leases
            WHERE name = :name AND holder <> :holder AND expires_at > %s""".formatted(NOW);

    /** For this transaction alone, and only where the caller has not set a shorter time. */
    private static final String LIMIT_TRANSACTION = """
            SELECT set_config(name, CASE
                WHEN CAST(current_setting(name) AS INTERVAL) BETWEEN INTERVAL '1 ms' AND :limit * INTERVAL '1 ms'
                THEN current_setting(name) ELSE CAST(:limit AS TEXT) END, true)
            FROM (VALUES ('statement_timeout'), ('idle_in_transaction_session_timeout')) AS settings (name)""";

    private final CredentialDatabase database;
    private final Authenticity authenticity;
    private final String holder;
    private final @Nullable String advertisedUrl;
    private final String mac;
    private final long durationMillis;

    LeaseRow(CredentialDatabase database, Keyring keyring, String holder, LeaseSettings settings) {
        this.database = database;
        this.authenticity = new Authenticity(keyring);
        this.holder = holder;
        this.advertisedUrl = settings.advertisedUrl();
        this.mac = authenticity.compute(holder, advertisedUrl);
        this.durationMillis = settings.duration().toMillis();
    }

    /**
     * Returns the epoch under which this holder is the leader from now on; empty if there is another leader.
     *
     * @param locked runs if the lease is free, but its row was locked: by a change that is still open, or by another node
     *     that takes over
     */
    Optional<Long> acquire(Runnable locked) {
        Optional<Boolean> live =
                alone(() -> candidacy(FIND_STATE).query(Boolean.class).optional());
        if (live.isEmpty()) {
            return alone(() -> candidate(statement(INSERT)).update()) == 1 ? Optional.of(1L) : Optional.empty();
        }
        if (live.get()) {
            return Optional.empty();
        }
        Optional<Long> epoch = takeOver();
        if (epoch.isEmpty()) {
            locked.run();
        }
        return epoch;
    }

    /** Whether the lease still belonged to this holder: expired or not, nobody had taken it over. */
    boolean renew(long epoch) {
        return alone(() -> own(RENEW, epoch).param("duration", durationMillis).update()) == 1;
    }

    /** Lets the next candidate take over immediately. */
    void release(long epoch) {
        alone(() -> own(RELEASE, epoch).update());
    }

    /**
     * Keeps others from taking over until the transaction ends, and the transaction from being idle for longer than a
     * lease lasts.
     *
     * @return whether this holder has the lease
     */
    boolean guard(long epoch) {
        database.jdbc()
                .sql(LIMIT_TRANSACTION)
                .param("limit", durationMillis)
                .query(String.class)
                .list();
        return own(GUARD, epoch).query(Long.class).optional().isPresent();
    }

    /**
     * Returns the refusal of a change. It names the other holder of a live lease only if the keyring authenticates the
     * row: callers send their credentials to the URL that they get.
     */
    LeadershipRequiredException refusal() {
        return statement(FIND_LEADER)
                .param("holder", holder)
                .query((row, number) -> refusal(row.getString(1), row.getString(2), row.getString(3)))
                .optional()
                .orElseGet(() -> new LeadershipRequiredException(null, null));
    }

    private LeadershipRequiredException refusal(String leader, @Nullable String url, @Nullable String leaderMac) {
        return authenticity.verify(leader, url, leaderMac)
                ? new LeadershipRequiredException(nodeId(leader), url)
                : new LeadershipRequiredException(null, null);
    }

    /** Names an incarnation of a node: after a restart, or beside a node with the same id, it is a different holder. */
    static String newHolder(String nodeId, SecureRandom random) {
        return nodeId + "/" + new RandomHex(random).next(INCARNATION_BYTES);
    }

    static String nodeId(String holder) {
        int end = holder.lastIndexOf('/');
        return end < 0 ? holder : holder.substring(0, end);
    }

    private Optional<Long> takeOver() {
        return alone(() -> candidate(candidacy(TAKE_OVER)).query(Long.class).optional());
    }

    /** A node that stops in the middle of a transaction would keep the row locked, and the others from taking over. */
    private <T> T alone(Supplier<T> statement) {
        return database.outsideTransaction(statement);
    }

    private JdbcClient.StatementSpec candidacy(String sql) {
        return statement(sql).param("longest", Math.max(LONGEST_MILLIS, durationMillis));
    }

    private JdbcClient.StatementSpec candidate(JdbcClient.StatementSpec statement) {
        return statement
                .param("holder", holder)
                .param("duration", durationMillis)
                .param("url", advertisedUrl)
                .param("mac", mac);
    }

    private JdbcClient.StatementSpec own(String sql, long epoch) {
        return statement(sql).param("holder", holder).param("epoch", epoch);
    }

    private JdbcClient.StatementSpec statement(String sql) {
        return database.jdbc().sql(sql).param("name", NAME);
    }

    /** Authenticates the holder of the lease to all nodes with the keyring. */
    static final class Authenticity {

        private final RowMac macs;

        Authenticity(Keyring keyring) {
            this.macs = new RowMac(keyring);
        }

        String compute(String holder, @Nullable String advertisedUrl) {
            return macs.compute(values(holder, advertisedUrl));
        }

        boolean verify(String holder, @Nullable String advertisedUrl, @Nullable String mac) {
            try {
                return mac != null && macs.verify(values(holder, advertisedUrl), mac);
            } catch (UnknownSealKeyException e) {
                return false;
            }
        }

        /** Without the epoch, which only the database knows: a holder is one incarnation of a node, and unique. */
        private static RowValues values(String holder, @Nullable String advertisedUrl) {
            return new RowValues("leases")
                    .text("name", NAME)
                    .text("holder", holder)
                    .text("advertised_url", advertisedUrl);
        }
    }
}
