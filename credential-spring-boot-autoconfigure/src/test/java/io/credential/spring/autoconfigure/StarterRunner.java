package io.credential.spring.autoconfigure;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.apikeys.EmptyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.dispatcher.WebhookDispatcherAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.testing.TestDatabase;

/** An application on the starter, without web and security. */
public final class StarterRunner {

    /** Takes the dispatcher away, which is there by default. */
    public static final String NO_DISPATCHER = "credential.webhook.dispatcher.enabled=false";

    /** Marks a bean as the clock that we are to use. */
    public static final BeanDefinitionCustomizer OUR_CLOCK = definition ->
            ((AbstractBeanDefinition) definition).addQualifier(new AutowireCandidateQualifier(CredentialClock.class));

    private StarterRunner() {}

    /** One that configures nothing but to have no dispatcher: no feature is left that stores anything. */
    public static ApplicationContextRunner bare() {
        return unconfigured().withPropertyValues(NO_DISPATCHER);
    }

    /** One that configures nothing. */
    public static ApplicationContextRunner unconfigured() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        KeyringAutoConfiguration.class,
                        ClusterAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        ApiKeyRegistriesAutoConfiguration.class,
                        EmptyRegistriesAutoConfiguration.class,
                        WebhookDispatcherAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class));
    }

    /** One with the registry {@code live} and no dispatcher on this database, and a keyring in this directory. */
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
