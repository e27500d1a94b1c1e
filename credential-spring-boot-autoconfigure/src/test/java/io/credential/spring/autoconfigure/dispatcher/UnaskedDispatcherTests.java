package io.credential.spring.autoconfigure.dispatcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The dispatcher of an application that configures nothing of ours: it exists, or startup fails and says how to disable it. */
class UnaskedDispatcherTests {

    private static final String REMEDY = "credential.webhook.dispatcher.enabled=false";

    @AutoClose
    private final TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL);

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
    void dispatcherWhenDatabaseIsSupportedThenRuns() {
        onPostgres().run(context -> {
            assertThat(context.getBean(WebhookDispatcher.class).listEndpoints()).isEmpty();
            assertThat(context.getBean(DispatcherLifecycle.class).isRunning()).isTrue();
        });
    }

    @Test
    void startWhenDatabaseIsUnsupportedThenFails() {
        onH2().run(context -> {
            assertThat(Analyses.of(context).getDescription()).contains("H2");
            assertThat(Analyses.of(context).getAction()).contains(REMEDY);
        });
    }

    @Test
    void startWhenDisabledAndUnsupportedThenSucceeds() {
        onH2().withPropertyValues(StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenSeveralDataSourcesAreUnmarkedThenFails() {
        runner().withBean("first", DataSource.class, () -> new DriverManagerDataSource(postgres.jdbcUrl()))
                .withBean("second", DataSource.class, () -> new DriverManagerDataSource(postgres.jdbcUrl()))
                .run(context -> assertThat(Analyses.of(context).getAction()).contains("@CredentialDataSource", REMEDY));
    }

    @Test
    void startWhenThereIsNoDataSourceThenFails() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        KeyringAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        WebhookDispatcherAutoConfiguration.class))
                .run(context -> {
                    assertThat(Analyses.of(context).getDescription()).contains("the application has no DataSource");
                    assertThat(Analyses.of(context).getAction()).contains(REMEDY);
                });
    }

    @Test
    void startWhenDatabaseIsAwayThenFails() {
        runner().withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere"))
                .run(context -> assertThat(context).hasFailed());
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
