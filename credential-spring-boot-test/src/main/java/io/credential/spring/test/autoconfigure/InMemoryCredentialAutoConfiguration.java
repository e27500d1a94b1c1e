package io.credential.spring.test.autoconfigure;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.internal.sqlite.SqliteDataSource;

/**
 * Configures the temporary database of {@link AutoConfigureInMemoryCredential} in slices, which have no DataSource, if
 * the application stores something.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {DataSourceAutoConfiguration.class, LocalSqliteAutoConfiguration.class},
        before = CredentialDatabaseAutoConfiguration.class)
@ConditionalOnClass(HikariDataSource.class)
@ConditionalOnCredential(Requirement.STORAGE)
public final class InMemoryCredentialAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(DataSource.class)
    HikariDataSource credentialTemporaryDataSource(CredentialProperties properties) {
        return SqliteDataSource.pooled(Path.of(properties.storage().path()));
    }
}
