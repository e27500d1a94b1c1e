package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;
import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import io.credential.cluster.NodePresence;
import io.credential.keyring.KeyringGuard;
import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/**
 * The keyring that seals what is stored, and the check that it is the one of the database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialDatabaseAutoConfiguration.class)
@ConditionalOnCredential(Requirement.SEALED_STORAGE)
@Import({NodePresenceConfiguration.class, LocatedKeyringConfiguration.class})
public final class KeyringAutoConfiguration {

    @Bean
    @Lazy
    @DependsOn("credentialSchemaInitializer")
    KeyringGuard credentialKeyringGuard(
            CredentialDatabase database, CredentialProperties properties, ObjectProvider<NodePresence> presence) {
        NodePresence node = presence.getIfAvailable();
        // Endpoints hold sealed secrets in whatever table they are.
        return new KeyringGuard(
                database,
                new SecureRandom(),
                Set.of(properties.webhook().dispatcher().endpointsTable()),
                node == null ? () -> false : node::hasOthers);
    }

    /**
     * A keyring of the application's own is checked here; one that was opened was checked then. What seals depends on
     * this bean: it is made for that, and not for itself.
     */
    @Bean
    @Lazy
    KeyringCheck credentialKeyringCheck(
            KeyringGuard guard, Keyring keyring, ObjectProvider<LocatedKeyringConfiguration> opened) {
        return opened.getIfAvailable() != null ? KeyringCheck.done() : KeyringCheck.of(keyring, guard);
    }
}
