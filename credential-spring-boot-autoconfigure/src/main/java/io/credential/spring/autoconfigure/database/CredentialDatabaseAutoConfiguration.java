package io.credential.spring.autoconfigure.database;

import javax.sql.DataSource;

import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Configures the database and initializes its schema before anything uses it. The order of the nested classes matters:
 * each looks for a bean that those after it would add.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, LocalSqliteAutoConfiguration.class})
@ConditionalOnClass({JdbcClient.class, Flyway.class})
@ConditionalOnCredential(Requirement.STORAGE)
@Import({DatabaseInitializationDependencyConfigurer.class, CredentialSchedule.class, SharedBeans.class})
public final class CredentialDatabaseAutoConfiguration {

    /**
     * The application defines {@link CredentialDatabase}. Its schema is still initialized, but other beans do not wait
     * for it: the application's bean may depend on JPA, which would wait in turn.
     */
    @Order(1)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(CredentialDatabase.class)
    static class ApplicationDatabase {

        @Bean
        SchemaInitializer credentialSchemaInitializer(
                CredentialDatabase database,
                CredentialProperties properties,
                SharedBeans shared,
                CredentialSchedule schedule,
                Environment environment) {
            return new SchemaInitializer(
                    database, ConfiguredSchema.scripts(environment), properties, shared.clock(), schedule);
        }
    }

    /** The schema is initialized before anything uses the database. */
    @Order(2)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(SchemaInitializer.class)
    static class OwnSchema {

        /**
         * Uses no transaction manager: that of JPA waits for every schema, so that Hibernate can validate its own
         * tables.
         */
        @Bean
        SchemaInitializer credentialSchemaInitializer(
                SelectedDataSource selected,
                CredentialProperties properties,
                SharedBeans shared,
                CredentialSchedule schedule,
                Environment environment) {
            return new SchemaInitializer(
                    selected.open(), ConfiguredSchema.scripts(environment), properties, shared.clock(), schedule);
        }
    }

    /** Uses the selected DataSource and joins its transactions. Created when something is stored. */
    @Order(3)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(CredentialDatabase.class)
    static class Database {

        @Bean
        @Lazy
        SelectedDataSource credentialSelectedDataSource(
                @CredentialDataSource ObjectProvider<DataSource> marked,
                ObjectProvider<DataSource> all,
                ListableBeanFactory beanFactory) {
            return SelectedDataSource.of(marked, all, beanFactory);
        }

        @Bean
        @Lazy
        @DependsOnDatabaseInitialization
        CredentialDatabase credentialDatabase(
                SelectedDataSource selected, ObjectProvider<PlatformTransactionManager> transactionManagers) {
            return TransactionManagers.managing(selected.dataSource(), transactionManagers)
                    .map(manager -> CredentialDatabase.of(selected.dataSource(), manager))
                    .orElseGet(() -> CredentialDatabase.of(selected.dataSource()));
        }
    }
}
