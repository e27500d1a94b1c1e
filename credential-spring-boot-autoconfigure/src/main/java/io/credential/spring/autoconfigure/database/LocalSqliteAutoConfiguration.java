package io.credential.spring.autoconfigure.database;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.sql.DataSource;
import javax.sql.XADataSource;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.internal.sqlite.SqliteDataSource;

/**
 * Configures a local SQLite file as the DataSource if the application neither has nor configures one. If that is
 * impossible, startup fails with an explanation.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        before = DataSourceAutoConfiguration.class,
        after = {JndiDataSourceAutoConfiguration.class, XADataSourceAutoConfiguration.class},
        afterName = "org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration")
@ConditionalOnClass(EmbeddedDatabaseConnection.class)
@ConditionalOnCredential(Requirement.STORAGE)
@ConditionalOnMissingBean({DataSource.class, XADataSource.class, JdbcConnectionDetails.class})
@Conditional(NoDataSourceConfiguredCondition.class)
public final class LocalSqliteAutoConfiguration {

    private static final String DRIVER = "org.sqlite.JDBC";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.SINGLE_NODE)
    @ConditionalOnClass(value = HikariDataSource.class, name = DRIVER)
    static class LocalFile {

        @Bean
        HikariDataSource credentialLocalDataSource(CredentialProperties properties, Environment environment) {
            if (AotDetector.useGeneratedArtifacts()) {
                requireNoDataSource(environment);
            }
            String path = properties.storage().path();
            try {
                return SqliteDataSource.pooled(Path.of(path));
            } catch (IllegalArgumentException | UncheckedIOException e) {
                throw new CredentialConfigurationException(
                        "The local database file '" + path + "' cannot be used: " + e.getMessage() + ".",
                        "Correct 'credential.storage.path', or set 'spring.datasource.url' to use PostgreSQL.",
                        e);
            }
        }

        /** The condition was evaluated at build time: this bean exists even if a DataSource is configured now. */
        static void requireNoDataSource(Environment environment) {
            NoDataSourceConfiguredCondition.configuredProperty(environment).ifPresent(property -> {
                throw new CredentialConfigurationException(
                        "'" + property + "' is set, but the application was processed ahead of time without it, and"
                                + " would use the local SQLite file.",
                        "Build the application again with this property, or start it without 'spring.aot.enabled'.");
            });
        }
    }

    @Bean
    @ConditionalOnMissingClass(DRIVER)
    @ConditionalOnCredential(Requirement.SINGLE_NODE)
    static BeanFactoryPostProcessor credentialNoDataSourceRefusal() {
        return beanFactory -> {
            throw new CredentialConfigurationException(
                    "Credential needs a database, but the application configures no DataSource, and the driver of the"
                            + " local SQLite file is not on the class path.",
                    "Either add 'org.xerial:sqlite-jdbc' to keep the data in a local file; or set"
                            + " 'spring.datasource.url' and add 'org.postgresql:postgresql' to use PostgreSQL. "
                            + SelectedDataSource.NOTHING_STORED);
        };
    }

    @Bean
    @ConditionalOnCredential(Requirement.CLUSTER)
    static BeanFactoryPostProcessor credentialNotSharedRefusal() {
        return beanFactory -> {
            throw new CredentialConfigurationException(
                    "In cluster mode all nodes share one PostgreSQL database, but the application configures no"
                            + " DataSource.",
                    "Set 'spring.datasource.url' to the shared PostgreSQL database; or set 'credential.mode=single' if"
                            + " there is only one node.");
        };
    }
}
