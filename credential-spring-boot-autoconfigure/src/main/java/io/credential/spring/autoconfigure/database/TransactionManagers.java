package io.credential.spring.autoconfigure.database;

import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager whose transactions Credential joins. */
final class TransactionManagers {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", TransactionManagers.class.getClassLoader());

    private TransactionManagers() {}

    /**
     * Returns the manager of this DataSource; of several, the primary one. Empty if there is none, or several and none
     * is primary: Credential then uses its own manager, which joins JDBC transactions on the DataSource.
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
        if (JPA && Jpa.isJpa(manager)) {
            return Jpa.manages(manager, dataSource);
        }
        return manager instanceof ResourceTransactionManager resource
                && dataSource.equals(resource.getResourceFactory());
    }

    /**
     * Loaded only if JPA is present. The resource of this manager is the EntityManagerFactory, which uses the
     * DataSource.
     */
    private static final class Jpa {

        static boolean isJpa(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager;
        }

        static boolean manages(PlatformTransactionManager manager, DataSource dataSource) {
            return dataSource.equals(((JpaTransactionManager) manager).getDataSource());
        }
    }
}
