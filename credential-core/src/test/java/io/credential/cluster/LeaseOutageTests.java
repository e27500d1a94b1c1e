package io.credential.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;
import io.credential.testing.Patience;
import io.credential.testing.RestartablePostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LeaseOutageTests {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final Logger logger = (Logger) LoggerFactory.getLogger(LeaseLeadership.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    @Test
    void outageThenReportedOnceAndLeadershipEndsAndReturns() {
        AtomicLong nanos = new AtomicLong();
        try (RestartablePostgres postgres = RestartablePostgres.started();
                HikariDataSource pool = pool(postgres)) {
            CredentialDatabase database = CredentialDatabase.of(pool);
            new SchemaMigrator(database).run(SchemaMode.MIGRATE);
            try (LeaseLeadership node =
                    new LeaseLeadership(database, LeaseSettings.of("a", null, LEASE), nanos::get, new SecureRandom())) {
                node.tick();
                postgres.stop();

                nanos.addAndGet(LEASE.toNanos() / 3);
                node.tick();
                assertThat(node.isLeader()).isTrue();
                nanos.addAndGet(LEASE.toNanos());
                node.tick();
                assertThat(node.isLeader()).isFalse();
                assertThat(warnings()).hasSize(1);

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
                assertThat(warnings()).hasSize(2);
            }
            assertThat(warnings()).last().asString().contains("will expire");
        }
    }

    private List<String> warnings() {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static HikariDataSource pool(RestartablePostgres postgres) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(3_000);
        return new HikariDataSource(config);
    }
}
