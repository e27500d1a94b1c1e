package io.credential.spring.autoconfigure.database;

import java.util.List;
import javax.sql.DataSource;

import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.scheduling.TaskScheduler;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class CredentialDatabaseAutoConfigurationTests {

    private static final String NOWHERE = "jdbc:postgresql://localhost:1/nowhere";

    private final TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE);

    @AfterEach
    void removeDatabases() {
        postgres.close();
        sqlite.close();
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        JdbcClientAutoConfiguration.class,
                        FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.enabled=false");
    }

    private ApplicationContextRunner withRegistry() {
        return runner().withPropertyValues("credential.api-keys.registries.live.prefix=bk");
    }

    private ApplicationContextRunner onPostgres() {
        return withRegistry().withPropertyValues("spring.datasource.url=" + postgres.jdbcUrl());
    }

    @Test
    void databaseWhenNothingIsStoredThenIsNotLookedFor() {
        runner().withPropertyValues("spring.datasource.url=" + NOWHERE, StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CredentialDatabase.class));
    }

    @Test
    void startWhenOnPostgresThenTablesAreThere() {
        onPostgres().run(context -> {
            CredentialDatabase database = context.getBean(CredentialDatabase.class);
            assertThat(database.dialect()).isEqualTo(SqlDialect.POSTGRESQL);
            assertThat(database.dataSource()).isSameAs(context.getBean(DataSource.class));
            assertThat(tables(database.jdbc())).contains("_credential_api_keys", "_credential_schema_history");
        });
    }

    @Test
    void startThenOnlyConfiguredProductsHaveTables() {
        String audit = "credential.audit.jdbc.enabled=true";
        String[] nonces = {
            "credential.webhook.inbound.partner.paths=/hooks",
            "credential.webhook.inbound.partner.keys.v1=a secret of the tests",
            "credential.webhook.inbound.partner.nonce-store=jdbc"
        };

        assertThat(tablesWith("credential.keyring.create=true"))
                .containsExactlyInAnyOrder(
                        "_credential_cluster_keys",
                        "_credential_key_checks",
                        "_credential_leases",
                        "_credential_schema_history");
        assertThat(tablesWith(audit)).contains("_credential_audit_log").hasSize(5);
        assertThat(tablesWith(nonces))
                .contains("_credential_audit_log", "_credential_nonces")
                .hasSize(6);
        assertThat(tablesWith("credential.api-keys.registries.live.prefix=bk"))
                .contains(
                        "_credential_api_keys",
                        "_credential_api_key_totals",
                        "_credential_api_key_terms",
                        "_credential_api_key_tickets",
                        "_credential_rate_limits")
                .hasSize(11);
        assertThat(tablesWith("credential.api-keys.usage.enabled=true"))
                .as("no registry is configured")
                .hasSize(11);
        assertThat(tablesWith(
                        "credential.api-keys.registries.live.prefix=bk", "credential.api-keys.usage.enabled=true"))
                .contains("_credential_api_key_usage")
                .hasSize(12);
    }

    /** The tables of this database after a start with these properties, and of earlier starts. */
    private List<@Nullable String> tablesWith(String... properties) {
        runner().withPropertyValues("spring.datasource.url=" + postgres.jdbcUrl())
                .withPropertyValues(properties)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(SchemaInitializer.class)).isNotNull(); // creates it if it is lazy
                });
        return tables(JdbcClient.create(postgres.dataSource()));
    }

    @Test
    void databaseWhenApplicationHasSqliteThenIsUsed() {
        withRegistry()
                .withBean(
                        "own", DataSource.class, sqlite::dataSource, definition -> definition.setDestroyMethodName(""))
                .run(context -> assertThat(
                                context.getBean(CredentialDatabase.class).dialect())
                        .isEqualTo(SqlDialect.SQLITE));
    }

    @Test
    void startWhenSchemaIsNoneThenCreatesNoTable() {
        onPostgres().withPropertyValues("credential.storage.schema=none").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(tables(context.getBean(JdbcClient.class))).isEmpty();
        });
    }

    @Test
    void validateWhenSchemaIsNotCurrentThenRefusedUnchanged() {
        onPostgres().withPropertyValues("credential.storage.schema=validate").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription())
                    .contains("not current", "credential.storage.schema=validate", "V1__api_keys.sql");
            assertThat(analysis.getAction()).contains("credential.storage.schema=migrate", PrintSchema.class.getName());
        });
        assertThat(tables(JdbcClient.create(postgres.dataSource()))).isEmpty();
    }

    @Test
    void validateWhenSchemaIsCurrentThenAccepts() {
        postgres.migrate(JdbcApiKeyRegistries.SCHEMA.and(JdbcBucketStore.SCHEMA));
        onPostgres()
                .withPropertyValues("credential.storage.schema=validate")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void migrateWhenItFailsThenExplains() {
        JdbcClient.create(postgres.dataSource())
                .sql("create table _credential_api_keys (taken text)")
                .update();
        onPostgres().run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("could not be migrated", "already exists");
            assertThat(analysis.getAction())
                    .contains("credential.storage.schema=validate", PrintSchema.class.getName());
        });
    }

    @Test
    void flywayWhenDatabaseIsFreshThenStillMigrates() {
        onPostgres()
                .withPropertyValues("spring.flyway.enabled=true", "spring.flyway.locations=classpath:hostile/flyway")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Flyway.class);
                    assertThat(tables(context.getBean(JdbcClient.class)))
                            .contains("hostile_orders", "flyway_schema_history", "_credential_api_keys");
                });
    }

    @Test
    void flywayWhenAddedLaterThenTheDocumentedLinesHelp() {
        postgres.migrate(JdbcApiKeyRegistries.SCHEMA.and(JdbcBucketStore.SCHEMA));
        ApplicationContextRunner added = onPostgres()
                .withPropertyValues("spring.flyway.enabled=true", "spring.flyway.locations=classpath:hostile/flyway");

        added.run(context ->
                assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("Found non-empty schema"));
        added.withPropertyValues("spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=0")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(tables(context.getBean(JdbcClient.class)))
                            .contains("hostile_orders", "_credential_api_keys");
                });
    }

    @Test
    void startWhenThePoolIsTooSmallThenExplainsAtOnce() {
        onPostgres()
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("at most 1 connection", "at least 2");
                    assertThat(analysis.getAction()).contains("spring.datasource.hikari.maximum-pool-size");
                });
        assertThat(tables(JdbcClient.create(postgres.dataSource()))).isEmpty();
    }

    @Test
    void startWhenThePoolHasTwoConnectionsThenStarts() {
        onPostgres()
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=2", "credential.audit.jdbc.enabled=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenTheSchemaIsMisspelledThenExplains() {
        String url = postgres.jdbcUrl();
        onPostgres()
                .withPropertyValues(
                        "spring.datasource.url=" + url + (url.contains("?") ? "&" : "?") + "currentSchema=shpo")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("schema shpo does not exist");
                    assertThat(analysis.getAction()).contains("currentSchema", "create schema \"shpo\" authorization");
                });
    }

    @Test
    void startWhenTheLoginIsRejectedThenExplains() {
        onPostgres()
                .withPropertyValues(
                        "spring.datasource.url=" + postgres.jdbcUrl().replaceAll("user=[^&]*", "user=nobody-here"))
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("rejects the login", "nobody-here");
                    assertThat(analysis.getAction()).contains("spring.datasource.username");
                });
    }

    @Test
    void flywayWhenBeanIsTheApplicationsThenStillMigrates() {
        onPostgres()
                .withPropertyValues("spring.flyway.enabled=true")
                .withUserConfiguration(OwnFlyway.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Flyway.class);
                    assertThat(tables(context.getBean(JdbcClient.class)))
                            .contains("hostile_orders", "_credential_api_keys");
                });
    }

    @Test
    void jdbcTemplateThenWaitsForOurTables() {
        onPostgres()
                .run(context -> assertThat(context.getBeanFactory()
                                .getBeanDefinition("jdbcTemplate")
                                .getDependsOn())
                        .contains("credentialSchemaInitializer"));
    }

    @Test
    void contextThenGainsNoBeanOfACommonType() {
        onPostgres()
                .run(context -> assertThat(context)
                        .doesNotHaveBean(Flyway.class)
                        .doesNotHaveBean(java.time.InstantSource.class)
                        .doesNotHaveBean(TaskScheduler.class)
                        .hasSingleBean(JdbcClient.class)
                        .hasSingleBean(JdbcTemplate.class)
                        .hasSingleBean(DataSource.class));
    }

    @Test
    void dataSourceWhenSeveralAreUnmarkedThenExplains() {
        withRegistry().withUserConfiguration(TwoDataSources.class).run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("several DataSource beans", "first", "second");
            assertThat(analysis.getAction()).contains("@CredentialDataSource");
        });
    }

    @Test
    void dataSourceWhenPrimaryAmongSeveralThenIsTaken() {
        withRegistry()
                .withBean("second", DataSource.class, () -> new DriverManagerDataSource(NOWHERE))
                .withBean(
                        "first",
                        DataSource.class,
                        () -> new DriverManagerDataSource(postgres.jdbcUrl()),
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(
                                context.getBean(CredentialDatabase.class).dataSource())
                        .isSameAs(context.getBean("first")));
    }

    @Test
    void dataSourceWhenMarkedBesideAPrimaryThenIsTaken() {
        withRegistry()
                .withUserConfiguration(MarkedBesidePrimary.class)
                .withBean("postgresUrl", String.class, postgres::jdbcUrl)
                .run(context -> assertThat(
                                context.getBean(CredentialDatabase.class).dataSource())
                        .isSameAs(context.getBean("marked")));
    }

    @Test
    void dataSourceWhenSeveralAreMarkedThenExplains() {
        withRegistry()
                .withUserConfiguration(TwoMarked.class)
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("Several DataSource beans are marked"));
    }

    @Test
    void dataSourceWhenThereIsNoneThenExplains() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class, CredentialDatabaseAutoConfiguration.class))
                .withPropertyValues("credential.api-keys.registries.live.prefix=bk")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("the application has no DataSource"));
    }

    @Test
    void dataSourceWhenTransactionAwareThenIsUnwrapped() {
        withRegistry()
                .withBean("proxy", DataSource.class, () -> new TransactionAwareDataSourceProxy(postgres.dataSource()))
                .run(context -> assertThat(
                                context.getBean(CredentialDatabase.class).dataSource())
                        .isSameAs(postgres.dataSource()));
    }

    @Test
    void databaseWhenUnsupportedThenNamesBothRemedies() {
        withRegistry()
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:app")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("H2");
                    assertThat(analysis.getAction())
                            .contains("spring.datasource.url", "PostgreSQL", "credential.storage.path", "SQLite");
                });
    }

    @Test
    void databaseWhenSqliteInAClusterThenExplains() {
        withRegistry()
                .withPropertyValues("credential.mode=cluster")
                .withBean(
                        "own", DataSource.class, sqlite::dataSource, definition -> definition.setDestroyMethodName(""))
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("In cluster mode", "SQLite");
                    assertThat(analysis.getAction()).contains("spring.datasource.url", "credential.mode=single");
                });
        assertThat(sqlite.dataSource().isClosed()).isFalse();
    }

    @Test
    void databaseWhenApplicationHasOneThenUsedAndMigrated() {
        CredentialDatabase own = CredentialDatabase.of(postgres.dataSource());
        withRegistry()
                .withPropertyValues("spring.datasource.url=" + NOWHERE)
                .withBean(CredentialDatabase.class, () -> own)
                .run(context -> {
                    assertThat(context).hasSingleBean(CredentialDatabase.class);
                    assertThat(tables(own.jdbc())).contains("_credential_api_keys");
                });
    }

    private static List<@Nullable String> tables(JdbcClient jdbc) {
        return jdbc.sql("select table_name from information_schema.tables where table_schema = 'public'")
                .query(String.class)
                .list();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFlyway {

        @Bean(initMethod = "migrate")
        Flyway flyway(DataSource dataSource) {
            return Flyway.configure()
                    .dataSource(dataSource)
                    .locations("classpath:hostile/flyway")
                    .load();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource first() {
            return new DriverManagerDataSource(NOWHERE);
        }

        @Bean
        DataSource second() {
            return new DriverManagerDataSource(NOWHERE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedBesidePrimary {

        @Bean
        @Primary
        DataSource main() {
            return new DriverManagerDataSource(NOWHERE);
        }

        @Bean(defaultCandidate = false)
        @CredentialDataSource
        DataSource marked(String postgresUrl) {
            return new DriverManagerDataSource(postgresUrl);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMarked {

        @Bean
        @CredentialDataSource
        DataSource first() {
            return new DriverManagerDataSource(NOWHERE);
        }

        @Bean
        @CredentialDataSource
        DataSource second() {
            return new DriverManagerDataSource(NOWHERE);
        }
    }
}
