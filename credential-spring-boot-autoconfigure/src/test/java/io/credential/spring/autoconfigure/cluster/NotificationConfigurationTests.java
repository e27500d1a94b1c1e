package io.credential.spring.autoconfigure.cluster;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariDataSource;

import io.micrometer.core.instrument.MeterRegistry;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.LocalNotifications;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class NotificationConfigurationTests {

    private static final String THREADS = "credential-notification";

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @BeforeEach
    void makeTheKeyringOfTheCluster() {
        StarterRunner.on(database, directory).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void notificationsWhenClusterThenListenOutsideThePool() {
        node().run(context -> {
            Patience.until(context.getBean(NodeNotifications.class)::isListening);
            assertThat(listeners("credential-notifications")).isOne();

            context.stop();
            assertThat(context.getBean(NodeNotifications.class).isListening()).isFalse();
            context.start();
            Patience.until(context.getBean(NodeNotifications.class)::isListening);

            context.close();
            LiveThreads.awaitNone(THREADS);
        });
        Patience.until(() -> listeners("credential-notifications") == 0);
    }

    @Test
    void publishThenReachesTheOtherNode() {
        node().run(first -> node().run(second -> {
            NodeNotifications there = second.getBean(NodeNotifications.class);
            Patience.until(there::isListening);
            Texts texts = new Texts();
            there.subscribe("tests", texts);

            first.getBean(NodeNotifications.class).publish("tests", "text");

            Patience.until(() -> texts.received().contains("text"));
        }));
    }

    @Test
    void gaugeThenCountsWhatWaits() {
        node().withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
                .run(context -> {
                    PostgresNotifications notifications = context.getBean(PostgresNotifications.class);
                    notifications.close(); // sends nothing
                    notifications.publish("tests", "text");

                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("credential.notifications.queued")
                                    .gauge()
                                    .value())
                            .isOne();
                });
    }

    @Test
    void notificationsWhenModeIsSingleThenNone() {
        StarterRunner.on(database, directory).run(context -> {
            assertThat(context).doesNotHaveBean(NodeNotifications.class);
            LiveThreads.awaitNone(THREADS);
        });
    }

    @Test
    void notificationsWhenNoFeatureNeedsThemThenNone() {
        StarterRunner.bare()
                .withPropertyValues("credential.mode=cluster")
                .run(context -> assertThat(context).doesNotHaveBean(NodeNotifications.class));
    }

    @Test
    void notificationsWhenApplicationHasSomeThenAreUsed() {
        NodeNotifications own = new LocalNotifications().node();
        node().withBean(NodeNotifications.class, () -> own).run(context -> {
            assertThat(context.getBean(NodeNotifications.class)).isSameAs(own);
            LiveThreads.awaitNone(THREADS);
        });
    }

    @Test
    void notificationsWhenBeansAreLazyThenStillListen() {
        node().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> Patience.until(context.getBean(NodeNotifications.class)::isListening));
    }

    @Test
    void startWhenNoDriverAcceptsListenUrlThenRefused() {
        node().withPropertyValues("credential.cluster.listen-url=jdbc:unknown://db?password=hidden")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("credential.cluster.listen-url");
                    assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain("hidden");
                });
    }

    @Test
    void startWhenListenUrlIsNoJdbcUrlThenRefused() {
        node().withPropertyValues("credential.cluster.listen-url=postgresql://user:hidden@db")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("credential.cluster.listen-url");
                    assertThat(analysis.getDescription() + analysis.getAction())
                            .contains("JDBC URL")
                            .doesNotContain("hidden");
                });
    }

    @Test
    void ofWhenPoolIsUnknownThenBorrowsFromIt() {
        DataSource other = new DriverManagerDataSource(database.jdbcUrl());

        assertThat(ListeningDataSource.of(other, "")).isSameAs(other);
        assertThat(ListeningDataSource.of(other, database.jdbcUrl())).isInstanceOf(ListeningDataSource.class);
    }

    @Test
    void ofWhenHikariHasNoUrlThenBorrowsFromIt() {
        try (HikariDataSource hikari = new HikariDataSource()) {
            hikari.setDataSource(new DriverManagerDataSource(database.jdbcUrl()));

            assertThat(ListeningDataSource.of(hikari, "")).isSameAs(hikari);
        }
    }

    @Test
    void ofWhenNoDriverAcceptsUrlOfPoolThenBorrows() {
        try (HikariDataSource hikari = new HikariDataSource()) {
            hikari.setJdbcUrl("jdbc:unknown://db?password=hidden");

            assertThat(ListeningDataSource.of(hikari, "")).isSameAs(hikari);
        }
    }

    private int listeners(String applicationName) {
        return database.database()
                .jdbc()
                .sql("select count(*) from pg_stat_activity where application_name = :name"
                        + " and datname = current_database()")
                .param("name", applicationName)
                .query(Integer.class)
                .single();
    }

    private ApplicationContextRunner node() {
        return StarterRunner.on(database, directory).withPropertyValues("credential.mode=cluster");
    }
}
