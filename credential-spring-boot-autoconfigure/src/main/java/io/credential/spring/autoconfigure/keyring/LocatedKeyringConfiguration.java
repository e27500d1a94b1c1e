package io.credential.spring.autoconfigure.keyring;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/** The keyring that the properties lead to; opening it checks it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Keyring.class)
class LocatedKeyringConfiguration {

    @Bean
    @Lazy
    @DependsOn("credentialSchemaInitializer")
    Keyring credentialKeyring(
            CredentialDatabase database, CredentialProperties properties, ResourceLoader resourceLoader) {
        Resource location = ApplicationResourceLoader.get(resourceLoader, true)
                .getResource(properties.keyring().location());
        return new KeyringSource(location, properties.createKeyring())
                .open(KeyringAutoConfiguration.guard(database, properties));
    }
}
