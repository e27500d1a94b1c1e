package io.credential.spring.autoconfigure.database;

import java.util.Set;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.core.Ordered;

/**
 * Lets everything that waits for the database wait for our tables too. They come last: an application's own Flyway
 * refuses to start in a schema that already has tables.
 */
final class SchemaInitializerDetector implements DatabaseInitializerDetector {

    private static final String INITIALIZER = "credentialSchemaInitializer";
    private static final String OWN_DATA_SOURCE = "credentialSelectedDataSource";

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsBeanDefinition(INITIALIZER)
                        && beanFactory.containsBeanDefinition(OWN_DATA_SOURCE)
                        && !waitsItself(beanFactory)
                ? Set.of(INITIALIZER)
                : Set.of();
    }

    /** Nothing waits for tables that may never be wanted. */
    private static boolean waitsItself(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.findAnnotationOnBean(INITIALIZER, DependsOnDatabaseInitialization.class, false) != null;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
