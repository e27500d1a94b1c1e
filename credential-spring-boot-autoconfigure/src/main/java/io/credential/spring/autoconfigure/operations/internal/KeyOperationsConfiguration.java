package io.credential.spring.autoconfigure.operations.internal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.ApiKeyRegistryProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.storage.internal.CredentialDatabase;

/** Imported by those who show keys, if there are registries. */
@Configuration(proxyBeanMethods = false)
@Import(SharedBeans.class)
public class KeyOperationsConfiguration {

    @Bean
    KeyOperations credentialKeyOperations(
            ApiKeyRegistries registries,
            CredentialDatabase database,
            ApiKeysProperties properties,
            SharedBeans shared) {
        return new KeyOperations(
                registries, database, namespace -> tracksLastUsed(properties, namespace), shared.clock());
    }

    private static boolean tracksLastUsed(ApiKeysProperties properties, String namespace) {
        ApiKeyRegistryProperties registry = properties.registries().get(namespace);
        return registry == null || registry.trackLastUsed();
    }
}
