package io.credential.spring.autoconfigure.database;

import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the manager whose transactions our statements join. */
final class TransactionManagers {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", TransactionManagers.class.getClassLoader());

    private TransactionManagers() {}

    /**
     * The one that manages this DataSource; of several the primary one. Empty when there is none, or no telling which
     * of several: a manager of our own then joins JDBC transactions on the DataSource.
     */
    static Optional<PlatformTransactionManager> managing(
            DataSource dataSource, ObjectProvider<PlatformTransactionManager> all) {
        List<PlatformTransactionManager> managing =
                all.stream().filter(manager -> manages(manager, dataSource)).toList();
        if (managing.size() == 1) {
            return Optional.of(managing.get(0));
        }
        return Optional.ofNullable(managing.isEmpty() ? null : all.getIfUnique())
                .filter(primary -> manages(primary, dataSource));
    }

    private static boolean manages(PlatformTransactionManager manager, DataSource dataSource) {
        if (JPA && Jpa.isOne(manager)) {
            return Jpa.manages(manager, dataSource);
        }
        return manager instanceof ResourceTransactionManager resource
                && dataSource.equals(resource.getResourceFactory());
    }

    /** Loaded only where JPA is: its resource is the EntityManagerFactory, and the DataSource stands behind that. */
    private static final class Jpa {

        static boolean isOne(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager;
        }

        static boolean manages(PlatformTransactionManager manager, DataSource dataSource) {
            return dataSource.equals(((JpaTransactionManager) manager).getDataSource());
        }
    }
}
