package io.credential.spring.autoconfigure.effects;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.notification.NodeNotifications;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** What properties of the cluster do in an application. */
class ClusterPropertyTests {

    @TempDir
    private Path directory;

    @Test
    void notificationsWhenListenUrlIsSetThenOverThisUrl() {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            StarterRunner.on(database, directory)
                    .run(context -> assertThat(context).hasNotFailed()); // makes the keyring
            StarterRunner.on(database, directory)
                    .withPropertyValues(
                            "credential.mode=cluster",
                            "credential.cluster.listen-url=" + database.jdbcUrl() + "&ApplicationName=listener-7")
                    .run(context -> {
                        Patience.until(context.getBean(NodeNotifications.class)::isListening);
                        assertThat(database.database()
                                        .jdbc()
                                        .sql("select count(*) from pg_stat_activity"
                                                + " where application_name = 'listener-7'")
                                        .query(Integer.class)
                                        .single())
                                .isOne();
                    });
        }
    }

    @Test
    void leaseWhenNodeIdAndDurationAreSetThenHasThem() {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            StarterRunner.on(database, directory)
                    .run(context -> assertThat(context).hasNotFailed()); // makes the keyring
            StarterRunner.on(database, directory)
                    .withPropertyValues(
                            "credential.mode=cluster",
                            "credential.cluster.node-id=node-7",
                            "credential.cluster.lease-duration=5m")
                    .run(context -> {
                        assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
                        assertThat(database.database()
                                        .jdbc()
                                        .sql("select max(expires_at) - extract(epoch from clock_timestamp()) * 1000"
                                                + " from _credential_leases")
                                        .query(Long.class)
                                        .single())
                                .isBetween(60_000L, 300_000L);
                        assertThat(database.database()
                                        .jdbc()
                                        .sql("select holder from _credential_leases order by expires_at desc limit 1")
                                        .query(String.class)
                                        .single())
                                .startsWith("node-7/");
                    });
        }
    }
}
