package io.credential.spring.autoconfigure;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.testing.TestDatabase;

/** An application on the starter, without web and security. */
public final class StarterRunner {

    private StarterRunner() {}

    /** One that configures no registry and no DataSource. */
    public static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        KeyringAutoConfiguration.class,
                        ClusterAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        ApiKeyRegistriesAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class));
    }

    /** One with the registry {@code live} on this database, and a keyring in this directory. */
    public static ApplicationContextRunner on(TestDatabase database, Path directory) {
        return bare().withPropertyValues(
                        "credential.api-keys.registries.live.prefix=bk",
                        "credential.keyring.location=file:" + keyring(directory))
                .withBean(
                        "applicationDataSource",
                        DataSource.class,
                        database::dataSource,
                        definition -> definition.setDestroyMethodName(""));
    }

    /** Where {@link #on} has the keyring. */
    public static Path keyring(Path directory) {
        return directory.resolve("state").resolve("keyring.json");
    }
}
