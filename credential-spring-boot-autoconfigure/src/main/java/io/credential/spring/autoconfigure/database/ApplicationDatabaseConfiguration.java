package io.credential.spring.autoconfigure.database;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/**
 * The application has its own {@link CredentialDatabase}. Its schema is still initialized, but the rest of the
 * application does not wait for that: such a bean may well depend on JPA, which would wait in turn.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(CredentialDatabase.class)
class ApplicationDatabaseConfiguration {

    @Bean
    SchemaInitializer credentialSchemaInitializer(CredentialDatabase database, CredentialProperties properties) {
        return new SchemaInitializer(database, properties);
    }
}
