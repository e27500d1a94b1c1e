package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import ch.qos.logback.classic.Level;

import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.TimedDatabase;
import io.credential.testing.CapturedLog;
import io.credential.testing.Patience;
import io.credential.testing.RestartablePostgres;
import io.credential.testing.StallingProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LeaseOutageTests {

    private static final Duration LEASE = Duration.ofMinutes(10);

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(LeaseLeadership.class);

    @Test
    void outageThenReportedOnceAndLeadershipEndsAndReturns() {
        AtomicLong nanos = new AtomicLong();
        List<OptionalLong> heard = new ArrayList<>();
        try (RestartablePostgres postgres = RestartablePostgres.started();
                HikariDataSource pool = pool(postgres.jdbcUrl())) {
            CredentialDatabase database = CredentialDatabase.of(pool);
            new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
            try (LeaseLeadership node = new LeaseLeadership(
                    database,
                    Keyring.generate(new SecureRandom()),
                    new LeaseSettings("a", null, LEASE),
                    nanos::get,
                    new SecureRandom(),
                    NodeNotifications.none(),
                    heard::add)) {
                node.tick();
                postgres.stop();

                nanos.addAndGet(LEASE.toNanos() / 3);
                node.tick();
                assertThat(node.isLeader()).isTrue();
                nanos.addAndGet(LEASE.toNanos());
                node.tick();
                assertThat(node.isLeader()).isFalse();
                assertThat(heard).endsWith(OptionalLong.of(1), OptionalLong.empty());
                assertThat(logged.lines(Level.WARN)).hasSize(1);

                postgres.start();
                Patience.until(() -> {
                    node.tick();
                    return node.isLeader();
                });
                assertThatNoException()
                        .isThrownBy(() -> database.inTransaction(() -> {
                            node.requireLeader();
                            return "changed";
                        }));

                postgres.stop();
                node.tick();
                assertThat(logged.lines(Level.WARN)).hasSize(2);
            }
            assertThat(logged.lines(Level.WARN)).last().asString().contains("will expire");
        }
    }

    @Test
    void tickWhenServerVanishesThenEndsAndLeadsAgain() throws Exception {
        try (RestartablePostgres postgres = RestartablePostgres.started();
                StallingProxy proxy = new StallingProxy(postgres.jdbcUrl());
                HikariDataSource pool = pool(proxy.jdbcUrl())) {
            TimedDatabase timed = new TimedDatabase(pool);
            CredentialDatabase database = timed.database();
            new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
            LeaseLeadership node = new LeaseLeadership(
                    database,
                    Keyring.generate(new SecureRandom()),
                    new LeaseSettings("a", null, Duration.ofSeconds(1)),
                    System::nanoTime,
                    new SecureRandom(),
                    NodeNotifications.none(),
                    epoch -> {});
            node.tick();
            proxy.stall();
            FutureTask<Void> tick = new FutureTask<>(node::tick, null);
            new Thread(tick, "tick").start();

            Patience.until(() -> {
                timed.advance();
                return tick.isDone();
            });

            proxy.resume();
            Patience.until(() -> {
                node.tick();
                return node.isLeader();
            });
        }
    }

    private static HikariDataSource pool(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(3_000);
        return new HikariDataSource(config);
    }
}
