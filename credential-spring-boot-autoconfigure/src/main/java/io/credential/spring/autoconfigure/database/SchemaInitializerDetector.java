package io.credential.spring.autoconfigure.database;

import java.util.Set;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Makes beans that wait for the initialized database also wait for the tables of Credential. These are created last,
 * because the application's Flyway refuses to start in a schema that already has tables.
 */
final class SchemaInitializerDetector implements DatabaseInitializerDetector {

    private static final String INITIALIZER = "credentialSchemaInitializer";
    private static final String OWN_DATA_SOURCE = "credentialSelectedDataSource";

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsBeanDefinition(INITIALIZER) && beanFactory.containsBeanDefinition(OWN_DATA_SOURCE)
                ? Set.of(INITIALIZER)
                : Set.of();
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
