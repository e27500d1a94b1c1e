package io.credential.spring.autoconfigure.database;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.storage.CredentialDatabase;

/** The database over the application's DataSource, in its transactions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(CredentialDatabase.class)
class DatabaseConfiguration {

    @Bean
    SelectedDataSource credentialSelectedDataSource(
            @CredentialDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> all,
            ListableBeanFactory beanFactory) {
        return SelectedDataSource.of(marked, all, beanFactory);
    }

    /**
     * Needs no transaction manager: that of JPA waits for every schema, so that Hibernate can validate its own tables.
     */
    @Bean
    SchemaInitializer credentialSchemaInitializer(SelectedDataSource selected, CredentialProperties properties) {
        return new SchemaInitializer(CredentialDatabase.of(selected.dataSource()), properties);
    }

    @Bean
    @DependsOnDatabaseInitialization
    CredentialDatabase credentialDatabase(
            SelectedDataSource selected, ObjectProvider<PlatformTransactionManager> transactionManagers) {
        return TransactionManagers.managing(selected.dataSource(), transactionManagers)
                .map(manager -> CredentialDatabase.of(selected.dataSource(), manager))
                .orElseGet(() -> CredentialDatabase.of(selected.dataSource()));
    }
}
