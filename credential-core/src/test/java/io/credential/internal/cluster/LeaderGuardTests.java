package io.credential.internal.cluster;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static io.credential.internal.cluster.LeaseCluster.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which transactions may change what only the leader may change, and how they end. */
class LeaderGuardTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    @AutoClose
    private final LeaseCluster cluster = new LeaseCluster(DATABASE);

    private final LeaseLeadership a = cluster.node("a", "https://a.example", LEASE);
    private final LeaseLeadership b = cluster.node("b", "https://b.example", LEASE);

    @Test
    void requireLeaderWhenNobodyLeadsThenNoUrlIsKnown() {
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> cluster.guarded(a))
                .withMessageContaining("retry in a few seconds")
                .satisfies(e -> assertThat(e.leader()).isNull())
                .satisfies(e -> assertThat(e.leaderUrl()).isNull());
    }

    @Test
    void requireLeaderWhenNoUrlIsAdvertisedThenNamesLeader() {
        try (LeaseLeadership silent = cluster.node("silent/1", null, LEASE)) {
            silent.tick();

            assertThatExceptionOfType(LeadershipRequiredException.class)
                    .isThrownBy(() -> cluster.guarded(b))
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

    /** A failover to an asynchronous replica loses the last term. */
    @Test
    void requireLeaderWhenEpochIsGrantedTwiceThenRefused() {
        a.tick();
        cluster.expireLease();
        b.tick();
        DATABASE.jdbc()
                .sql("UPDATE _credential_leases SET holder = 'a/replicated', epoch = 1, expires_at = 0")
                .update();

        try (LeaseLeadership c = cluster.node("c", null, LEASE)) {
            c.tick();

            assertThat(cluster.epoch()).isEqualTo(2);
            assertThatNoException().isThrownBy(() -> cluster.guarded(c));
            assertThat(b.isLeader()).isTrue();
            assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(b));
        }
    }

    @Test
    void requireLeaderWhenTakenOverUnnoticedThenRefused() {
        a.tick();
        cluster.expireLease();
        b.tick();

        assertThat(a.isLeader()).isTrue();
        assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> cluster.guarded(a))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://b.example"));

        a.tick();
        assertThat(a.isLeader()).isFalse();
    }

    @Test
    void requireLeaderWhenExpiredButNotTakenThenRefused() {
        a.tick();
        cluster.expireLease();

        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(a));
    }

    @Test
    void requireLeaderWhenOnlyTheEpochIsAnotherThenRefused() {
        a.tick();
        assertThatNoException().isThrownBy(() -> cluster.guarded(a));

        DATABASE.jdbc().sql("UPDATE _credential_leases SET epoch = epoch + 1").update();

        assertThatExceptionOfType(LeadershipRequiredException.class).isThrownBy(() -> cluster.guarded(a));
    }

    @Test
    void guardedTransactionWhenOpenThenNobodyTakesOver() {
        a.tick();
        DATABASE.inTransaction(() -> {
            a.requireLeader();
            InParallel.elsewhere(cluster::expireLease);
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
        cluster.expireLeaseIn(Duration.ofMinutes(5));
        long before = cluster.expiresAt();

        DATABASE.inTransaction(() -> {
            a.requireLeader();
            InParallel.elsewhere(a::tick);
            return null;
        });

        assertThat(cluster.expiresAt()).isGreaterThan(before);
        assertThat(cluster.epoch()).isEqualTo(1);
    }

    @Test
    void guardedTransactionWhenStalledThenDatabaseEndsIt() {
        try (LeaseLeadership hasty = cluster.node("hasty", null, Duration.ofSeconds(2))) {
            Patience.until(() -> {
                hasty.tick();
                return hasty.isLeader();
            });
            cluster.expireLeaseIn(LEASE); // what ends the transaction is its own limit, and not the lease

            assertThatThrownBy(() -> DATABASE.inTransaction(() -> {
                        hasty.requireLeader();
                        // Waits for the lock that this very transaction holds, until the database has ended it.
                        InParallel.elsewhere(LeaderGuardTests::lockLease);
                        return DATABASE.jdbc()
                                .sql("SELECT 1")
                                .query(Integer.class)
                                .single();
                    }))
                    .isInstanceOfAny(DataAccessException.class, TransactionException.class);
            cluster.expireLease();
            b.tick();
            assertThat(b.isLeader()).isTrue();
        }
    }

    private static void lockLease() {
        DATABASE.inTransaction(() -> DATABASE.jdbc()
                .sql("SELECT epoch FROM _credential_leases FOR UPDATE")
                .query(Long.class)
                .single());
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
