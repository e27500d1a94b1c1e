package io.credential.spring.autoconfigure.database;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.storage.CredentialDatabase;

/** The database over the application's DataSource, in its transactions; looked at when something is to be stored. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(CredentialDatabase.class)
class DatabaseConfiguration {

    @Bean
    @Lazy
    SelectedDataSource credentialSelectedDataSource(
            @CredentialDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> all,
            ListableBeanFactory beanFactory) {
        return SelectedDataSource.of(marked, all, beanFactory);
    }

    @Bean
    @Lazy
    @DependsOnDatabaseInitialization
    CredentialDatabase credentialDatabase(
            SelectedDataSource selected, ObjectProvider<PlatformTransactionManager> transactionManagers) {
        return TransactionManagers.managing(selected.dataSource(), transactionManagers)
                .map(manager -> CredentialDatabase.of(selected.dataSource(), manager))
                .orElseGet(() -> CredentialDatabase.of(selected.dataSource()));
    }
}
