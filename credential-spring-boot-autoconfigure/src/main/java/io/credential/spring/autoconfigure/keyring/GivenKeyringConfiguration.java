package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.KeyringGuard;

/** A keyring of the application's own is checked as well. Imported after the configuration that it looks for. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LocatedKeyringConfiguration.class)
class GivenKeyringConfiguration {

    @Bean
    @DependsOn("credentialSchemaInitializer")
    KeyringCheck credentialKeyringCheck(CredentialDatabase database, Keyring keyring) {
        return new KeyringCheck(new KeyringGuard(database, new SecureRandom()), keyring);
    }
}
