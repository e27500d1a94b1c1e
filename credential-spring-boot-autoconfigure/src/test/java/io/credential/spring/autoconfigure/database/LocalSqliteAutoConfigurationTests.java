package io.credential.spring.autoconfigure.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;

class LocalSqliteAutoConfigurationTests {

    private static final String BEAN = "credentialLocalDataSource";

    @TempDir
    private Path directory;

    private ApplicationContextRunner withH2() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        DataSourceAutoConfiguration.class))
                .withPropertyValues("credential.api-keys.registries.live.prefix=bk");
    }

    private ApplicationContextRunner withoutH2() {
        return withH2().withClassLoader(new FilteredClassLoader("org.h2"));
    }

    private Path file() {
        return directory.resolve("state").resolve("credential.db");
    }

    @Test
    void localFileWhenNothingIsConfiguredThenIsUsed() {
        withoutH2().withPropertyValues("credential.storage.path=" + file()).run(context -> {
            assertThat(context).hasSingleBean(DataSource.class).hasBean(BEAN);
            assertThat(product(context.getBean(DataSource.class))).isEqualTo("SQLite");
            assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        });
    }

    @Test
    void poolWhenContextClosesThenIsClosed() {
        withoutH2().withPropertyValues("credential.storage.path=" + file()).run(context -> {
            var pool = context.getBean(com.zaxxer.hikari.HikariDataSource.class);
            context.close();
            assertThat(pool.isClosed()).isTrue();
        });
    }

    @Test
    void localFileWhenNothingIsStoredThenIsNotCreated() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CredentialAutoConfiguration.class, LocalSqliteAutoConfiguration.class))
                .withPropertyValues("credential.storage.path=" + file(), StarterRunner.NO_DISPATCHER)
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(DataSource.class);
                    assertThat(directory).isEmptyDirectory();
                });
    }

    @Test
    void localFileWhenUrlIsConfiguredThenIsNotUsed() {
        withoutH2()
                .withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost/app")
                .run(context ->
                        assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(BEAN));
    }

    @Test
    void localFileWhenPoolIsConfiguredThenIsNotUsed() {
        withH2().withPropertyValues(
                        "credential.storage.path=" + file(),
                        "spring.datasource.hikari.jdbc-url=jdbc:postgresql://localhost/app")
                .run(context -> assertThat(context).doesNotHaveBean(BEAN));
    }

    @Test
    void localFileWhenDataSourceIsABeanThenIsNotUsed() {
        withoutH2()
                .withUserConfiguration(OwnDataSource.class)
                .run(context ->
                        assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(BEAN));
    }

    @Test
    void localFileWhenConnectionDetailsAreGivenThenNotUsed() {
        withoutH2()
                .withUserConfiguration(OwnConnectionDetails.class)
                .run(context ->
                        assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(BEAN));
    }

    @Test
    void localFileWhenDatabaseIsEmbeddedThenIsNotUsed() {
        withH2().run(context -> {
            assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(BEAN);
            assertThat(product(context.getBean(DataSource.class))).isEqualTo("H2");
        });
    }

    @Test
    void localFileWhenPathIsSetThenGoesBeforeEmbedded() {
        withH2().withPropertyValues("credential.storage.path=" + file())
                .run(context ->
                        assertThat(product(context.getBean(DataSource.class))).isEqualTo("SQLite"));
    }

    @Test
    void localFileWhenPathCannotBeCreatedThenExplains() throws Exception {
        Path notADirectory = Files.createFile(directory.resolve("taken"));
        withoutH2()
                .withPropertyValues("credential.storage.path=" + notADirectory.resolve("credential.db"))
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("taken/credential.db", "cannot be used");
                    assertThat(analysis.getAction()).contains("credential.storage.path", "spring.datasource.url");
                });
    }

    @Test
    void localFileWhenDriverIsMissingThenExplains() {
        withH2().withClassLoader(new FilteredClassLoader("org.h2", "org.sqlite"))
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("configures no DataSource", "not on the class path");
                    assertThat(analysis.getAction()).contains("org.xerial:sqlite-jdbc", "spring.datasource.url");
                });
    }

    @Test
    void clusterWhenThereIsNoDataSourceThenExplains() {
        withoutH2().withPropertyValues("credential.mode=cluster").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("In cluster mode", "configures no DataSource");
            assertThat(analysis.getAction()).contains("spring.datasource.url", "credential.mode=single");
        });
    }

    @Test
    void clusterWhenDatabaseIsEmbeddedThenExplains() {
        withH2().withPropertyValues("credential.mode=cluster")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("In cluster mode", "configures no DataSource"));
    }

    private static String product(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDataSource {

        @Bean
        DataSource ownDataSource() {
            return new DriverManagerDataSource("jdbc:postgresql://localhost/app");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConnectionDetails {

        @Bean
        JdbcConnectionDetails connectionDetails() {
            return new JdbcConnectionDetails() {
                @Override
                public String getUsername() {
                    return "app";
                }

                @Override
                public String getPassword() {
                    return "";
                }

                @Override
                public String getJdbcUrl() {
                    return "jdbc:postgresql://localhost/app";
                }
            };
        }
    }
}
