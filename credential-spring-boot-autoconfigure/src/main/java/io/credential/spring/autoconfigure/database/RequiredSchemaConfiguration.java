package io.credential.spring.autoconfigure.database;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/** Storage was asked for: the schema is initialized before anything uses the database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnCredential(Requirement.REQUIRED_STORAGE)
@ConditionalOnMissingBean(SchemaInitializer.class)
class RequiredSchemaConfiguration {

    /**
     * Needs no transaction manager: that of JPA waits for every schema, so that Hibernate can validate its own tables.
     */
    @Bean
    SchemaInitializer credentialSchemaInitializer(SelectedDataSource selected, CredentialProperties properties) {
        return new SchemaInitializer(CredentialDatabase.of(selected.dataSource()), properties);
    }
}
