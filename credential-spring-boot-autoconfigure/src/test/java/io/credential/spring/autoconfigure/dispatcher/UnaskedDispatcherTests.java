package io.credential.spring.autoconfigure.dispatcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import ch.qos.logback.classic.spi.ILoggingEvent;

import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.schedule.CredentialSchedule;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The dispatcher of an application that configures nothing of ours: there where it can be, and never in the way. */
class UnaskedDispatcherTests {

    private static final String NO_DISPATCHER = "The webhook dispatcher was not created: ";

    @AutoClose
    private final CapturedLog log = CapturedLog.of(DispatcherLifecycle.class);

    @AutoClose
    private final TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static String said(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage();
    }

    /** With its own keyring, so that none is created in the working directory. */
    private static ApplicationContextRunner runner() {
        return StarterRunner.unconfigured().withBean(Keyring.class, () -> Keyring.generate(new SecureRandom()));
    }

    private static ApplicationContextRunner onH2() {
        return runner().withPropertyValues("spring.datasource.url=jdbc:h2:mem:unasked");
    }

    private ApplicationContextRunner onPostgres() {
        return runner().withPropertyValues("spring.datasource.url=" + postgres.jdbcUrl());
    }

    @Test
    void dispatcherWhenDatabaseIsSupportedThenRunsSilently() {
        onPostgres().run(context -> {
            assertThat(context.getBean(WebhookDispatcher.class).listEndpoints()).isEmpty();
            assertThat(context.getBean(DispatcherLifecycle.class).isRunning()).isTrue();
        });
        assertThat(log.events()).isEmpty();
    }

    @Test
    void dispatcherWhenDatabaseIsUnsupportedThenOneInfoLine() {
        onH2().run(context -> assertThat(context).hasNotFailed());
        assertThat(log.events())
                .map(UnaskedDispatcherTests::said)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("INFO " + NO_DISPATCHER)
                        .contains("H2", "credential.webhook.dispatcher.enabled"));
    }

    @Test
    void jdbcTemplateWhenUnsupportedThenWaitsForNothing() {
        onH2().withConfiguration(
                        AutoConfigurations.of(JdbcTemplateAutoConfiguration.class, HibernateJpaAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(JdbcTemplate.class);
                    assertThat(context.getBeanFactory()
                                    .getBeanDefinition("jdbcTemplate")
                                    .getDependsOn())
                            .isNull();
                });
    }

    @Test
    void restartWhenThereIsNoDispatcherThenSucceeds() {
        onH2().run(context -> {
            context.stop();
            context.start();
            assertThat(context).hasNotFailed();
        });
    }

    @Test
    void startWhenInjectedButUnsupportedThenFails() {
        onH2().withBean(NeedsDispatcher.class)
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("H2"));
    }

    @Test
    void startWhenEnabledButUnsupportedThenFails() {
        onH2().withPropertyValues("credential.webhook.dispatcher.enabled=true").run(context -> {
            assertThat(Analyses.of(context).getDescription()).contains("H2");
            assertThat(Analyses.of(context).getAction()).contains("credential.webhook.dispatcher.enabled=false");
        });
    }

    @Test
    void startWhenDisabledAndUnsupportedThenSilent() {
        onH2().withPropertyValues(StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.events()).isEmpty();
    }

    @Test
    void startWhenSeveralDataSourcesAreUnmarkedThenInfoLine() {
        runner().withBean("first", DataSource.class, () -> new DriverManagerDataSource(postgres.jdbcUrl()))
                .withBean("second", DataSource.class, () -> new DriverManagerDataSource(postgres.jdbcUrl()))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.events())
                .map(UnaskedDispatcherTests::said)
                .singleElement()
                .satisfies(line ->
                        assertThat(line).startsWith("INFO " + NO_DISPATCHER).contains("@CredentialDataSource"));
    }

    @Test
    void startWhenThereIsNoDataSourceThenOneInfoLine() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        KeyringAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        WebhookDispatcherAutoConfiguration.class))
                .withClassLoader(new org.springframework.boot.test.context.FilteredClassLoader("org.h2", "org.sqlite"))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.events())
                .map(UnaskedDispatcherTests::said)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("INFO " + NO_DISPATCHER)
                        .contains("the application has no DataSource"));
    }

    @Test
    void startWhenDatabaseIsAwayThenOneWarning() {
        runner().withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere"))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.events())
                .map(UnaskedDispatcherTests::said)
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("WARN " + NO_DISPATCHER));
    }

    @Test
    void dispatcherWhenDatabaseComesLaterThenRunsAsUsual() {
        AtomicReference<String> url = new AtomicReference<>("jdbc:postgresql://localhost:1/nowhere");
        runner().withBean(DataSource.class, () -> new AbstractDriverBasedDataSource() {
                    @Override
                    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                        return DriverManager.getConnection(url.get());
                    }
                })
                .run(context -> {
                    LiveThreads.awaitNone("credential-webhook-loop");
                    url.set(postgres.jdbcUrl());

                    assertThat(context.getBean(WebhookDispatcher.class).listEndpoints())
                            .isEmpty();

                    assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty();
                    assertThat(context.getBean(CredentialSchedule.class).getScheduledTasks())
                            .hasSize(3);
                });
    }

    @Test
    void flywayWhenDatabaseIsFreshThenStillRunsFirst() {
        onPostgres()
                .withConfiguration(
                        AutoConfigurations.of(FlywayAutoConfiguration.class, JdbcTemplateAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=classpath:hostile/flyway")
                .withBean(NeedsDispatcher.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(JdbcTemplate.class)
                                    .queryForList(
                                            "select table_name from information_schema.tables where table_schema ="
                                                    + " 'public'",
                                            String.class))
                            .contains("hostile_orders", "_credential_webhook_deliveries");
                });
    }

    /** In a separate process, with the driver of SQLite and no embedded database on the class path. */
    @Test
    void starterWhenAloneThenWorksOnALocalFile(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("out.log");
        String classPath = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(entry -> !entry.contains("h2"))
                .collect(Collectors.joining(File.pathSeparator));
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        StarterAlone.class.getName())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        assertThat(Patience.exitValue(application)).as(Files.readString(log)).isZero();
        assertThat(files(directory.resolve("data"))).contains("credential.db", "credential-keyring.json");
        assertThat(Files.readString(log)).contains(StarterAlone.DONE);
    }

    private static List<String> files(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    static class NeedsDispatcher {

        NeedsDispatcher(WebhookDispatcher dispatcher) {
            dispatcher.listEndpoints();
        }
    }
}
