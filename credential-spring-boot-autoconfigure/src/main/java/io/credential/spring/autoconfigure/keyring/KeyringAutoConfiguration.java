package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;

import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.ConditionalOnCredentialStorage;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.KeyringGuard;

/**
 * The keyring that seals what is stored, and the check that it is the one of the database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialDatabaseAutoConfiguration.class)
@ConditionalOnCredentialStorage
public final class KeyringAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @DependsOn("credentialSchemaInitializer")
    Keyring credentialKeyring(
            CredentialDatabase database, CredentialProperties properties, ResourceLoader resourceLoader) {
        Resource location = ApplicationResourceLoader.get(resourceLoader, true)
                .getResource(properties.keyring().location());
        return new KeyringSource(location, properties.createKeyring())
                .open(new KeyringGuard(database, new SecureRandom()));
    }

    /** A keyring of the application's own is checked as well. */
    @Bean
    @DependsOn("credentialSchemaInitializer")
    KeyringCheck credentialKeyringCheck(CredentialDatabase database, Keyring keyring) {
        return new KeyringCheck(new KeyringGuard(database, new SecureRandom()), keyring);
    }

    @Bean
    static LazyInitializationExcludeFilter credentialKeyringEagerFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(KeyringCheck.class);
    }
}
