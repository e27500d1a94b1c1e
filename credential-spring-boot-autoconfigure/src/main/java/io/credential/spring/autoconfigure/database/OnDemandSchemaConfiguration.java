package io.credential.spring.autoconfigure.database;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/**
 * Nobody asked for storage: the schema is initialized when it is needed, and the rest of the application does not wait
 * for that. Its database may be one that is not for us.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(SchemaInitializer.class)
class OnDemandSchemaConfiguration {

    @Bean
    @Lazy
    @DependsOnDatabaseInitialization
    SchemaInitializer credentialSchemaInitializer(SelectedDataSource selected, CredentialProperties properties) {
        return new SchemaInitializer(CredentialDatabase.of(selected.dataSource()), properties);
    }
}
