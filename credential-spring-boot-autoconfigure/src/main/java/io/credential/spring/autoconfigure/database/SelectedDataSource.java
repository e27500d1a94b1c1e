package io.credential.spring.autoconfigure.database;

import java.util.List;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * The DataSource in which data is stored. A wrapper, because another bean of type DataSource would be one more
 * candidate.
 *
 * @param dataSource the object that transactions are bound to
 */
record SelectedDataSource(DataSource dataSource) {

    /** Selects the marked DataSource, else the only or the primary one. */
    static SelectedDataSource of(
            ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all, ListableBeanFactory beanFactory) {
        DataSource selected = marked.getIfUnique();
        if (selected == null && marked.stream().findAny().isPresent()) {
            throw new CredentialConfigurationException(
                    "Several DataSource beans are marked with @CredentialDataSource.", "Mark only one.");
        }
        if (selected == null) {
            selected = all.getIfUnique();
        }
        if (selected == null) {
            throw missing(List.of(beanFactory.getBeanNamesForType(DataSource.class)));
        }
        return new SelectedDataSource(transactionTarget(selected));
    }

    private static CredentialConfigurationException missing(List<String> candidates) {
        if (candidates.isEmpty()) {
            return new CredentialConfigurationException(
                    "Credential needs a database, but the application has no DataSource.",
                    "Set 'spring.datasource.url', or define a DataSource bean. If DataSourceAutoConfiguration is"
                            + " excluded, include it or define the bean.");
        }
        return new CredentialConfigurationException(
                "The application has several DataSource beans and none is primary: " + String.join(", ", candidates)
                        + ".",
                "Mark the one to use with @CredentialDataSource.");
    }

    /** Transaction managers unwrap this proxy, and bind transactions to its target. */
    private static DataSource transactionTarget(DataSource dataSource) {
        @Nullable DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target != null ? target : dataSource;
    }
}
