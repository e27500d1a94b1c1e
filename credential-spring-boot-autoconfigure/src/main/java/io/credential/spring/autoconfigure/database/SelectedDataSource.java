package io.credential.spring.autoconfigure.database;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.storage.DatabaseFault;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * The DataSource in which data is stored. A wrapper, because another bean of type DataSource would be one more
 * candidate.
 *
 * @param dataSource the object that transactions are bound to
 * @param poolSize the largest number of its connections; negative if unlimited; null if unknown
 */
record SelectedDataSource(DataSource dataSource, @Nullable Integer poolSize) {

    /** Migrations, the lease and shared rate limits use a connection while another is in use. */
    private static final int SMALLEST_POOL = 2;

    static final String NOTHING_STORED =
            "If you need no feature that stores data, set 'credential.webhook.dispatcher.enabled=false'.";

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
        return new SelectedDataSource(transactionTarget(selected), poolSize(selected, beanFactory));
    }

    /**
     * Connects for the first time.
     *
     * @throws CredentialConfigurationException if the DataSource cannot be used and a retry does not help
     */
    CredentialDatabase open() {
        CredentialDatabase database;
        try {
            database = CredentialDatabase.of(dataSource);
        } catch (DataAccessException | IllegalStateException | IllegalArgumentException | NullPointerException e) {
            throw explained(e);
        }
        if (database.dialect() == SqlDialect.POSTGRESQL
                && poolSize != null
                && poolSize >= 0
                && poolSize < SMALLEST_POOL) {
            throw new CredentialConfigurationException(
                    "The connection pool of the DataSource has at most " + poolSize
                            + " connection, but Credential needs at least " + SMALLEST_POOL + ".",
                    "Set 'spring.datasource.hikari.maximum-pool-size', or the size of the pool that you use, to at least "
                            + SMALLEST_POOL + ".");
        }
        return database;
    }

    /** A failure without an SQL cause comes from the DataSource itself, such as one that routes by tenant. */
    private static RuntimeException explained(RuntimeException failure) {
        Optional<DatabaseFault> fault = DatabaseFault.of(failure);
        if (fault.isPresent()) {
            return new CredentialConfigurationException(
                    fault.get().problem() + ": "
                            + NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
                    "Do this: " + fault.get().remedy() + ".",
                    failure);
        }
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        if (cause instanceof SQLException) {
            return failure;
        }
        return new CredentialConfigurationException(
                "The DataSource provides no connection at startup: " + cause.getMessage()
                        + ". It probably routes by a tenant or another key of the current request.",
                "Define a DataSource bean that always leads to the same database, and mark it with"
                        + " @CredentialDataSource. Or set a default target DataSource; Credential then stores its data"
                        + " wherever the current key leads, which must always be the same database.",
                failure);
    }

    private static @Nullable Integer poolSize(DataSource dataSource, ListableBeanFactory beanFactory) {
        List<DataSourcePoolMetadataProvider> providers = beanFactory
                .getBeanProvider(DataSourcePoolMetadataProvider.class)
                .orderedStream()
                .toList();
        DataSourcePoolMetadata pool =
                new CompositeDataSourcePoolMetadataProvider(providers).getDataSourcePoolMetadata(dataSource);
        return pool == null ? null : pool.getMax();
    }

    private static CredentialConfigurationException missing(List<String> candidates) {
        if (candidates.isEmpty()) {
            return new CredentialConfigurationException(
                    "Credential needs a database, but the application has no DataSource.",
                    "Set 'spring.datasource.url', or define a DataSource bean. If DataSourceAutoConfiguration is"
                            + " excluded, include it or define the bean. " + NOTHING_STORED);
        }
        return new CredentialConfigurationException(
                "The application has several DataSource beans and none is primary: " + String.join(", ", candidates)
                        + ".",
                "Mark the one to use with @CredentialDataSource. " + NOTHING_STORED);
    }

    /** Transaction managers unwrap this proxy, and bind transactions to its target. */
    private static DataSource transactionTarget(DataSource dataSource) {
        @Nullable DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target != null ? target : dataSource;
    }
}
