package io.credential.spring.autoconfigure.keyring;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;

import io.credential.keyring.KeyringGuard;
import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.properties.CredentialProperties;

/** The keyring that the properties lead to; opening it checks it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Keyring.class)
class LocatedKeyringConfiguration {

    @Bean
    @Lazy
    Keyring credentialKeyring(KeyringGuard guard, CredentialProperties properties, ResourceLoader resourceLoader) {
        return new KeyringSource(properties.keyring(), properties.createKeyring(), resourceLoader).open(guard);
    }
}
