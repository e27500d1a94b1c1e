package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;
import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

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
@ConditionalOnCredentialStorage(sealed = true)
@Import(LocatedKeyringConfiguration.class)
public final class KeyringAutoConfiguration {

    /**
     * A keyring of the application's own is checked here; one that was opened was checked then. What seals depends on
     * this bean: it is made for that, and not for itself.
     */
    @Bean
    @Lazy
    @DependsOn("credentialSchemaInitializer")
    KeyringCheck credentialKeyringCheck(
            CredentialDatabase database,
            Keyring keyring,
            CredentialProperties properties,
            ObjectProvider<LocatedKeyringConfiguration> opened) {
        return opened.getIfAvailable() != null
                ? KeyringCheck.done()
                : KeyringCheck.of(keyring, guard(database, properties));
    }

    /** Endpoints hold sealed secrets in whatever table they are. */
    static KeyringGuard guard(CredentialDatabase database, CredentialProperties properties) {
        return new KeyringGuard(
                database,
                new SecureRandom(),
                Set.of(properties.webhook().dispatcher().endpointsTable()),
                () -> false);
    }
}
