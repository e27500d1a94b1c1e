package io.credential.spring.autoconfigure.diagnostics.internal;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup if the configuration stores data, and the libraries for it are missing: the starter for webhook
 * receivers does not bring them.
 */
public final class StorageLibraryCheck implements BeanFactoryPostProcessor, PriorityOrdered {

    private static final String JDBC = "org.springframework.jdbc.core.simple.JdbcClient";
    private static final String FLYWAY = "org.flywaydb.core.Flyway";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        require(JDBC, "Spring JDBC", "org.springframework.boot:spring-boot-starter-jdbc");
        require(FLYWAY, "Flyway", "org.flywaydb:flyway-core");
    }

    private static void require(String type, String library, String dependency) {
        if (!ClassUtils.isPresent(type, StorageLibraryCheck.class.getClassLoader())) {
            throw new CredentialConfigurationException(
                    "Credential is configured to store data, but " + library + " is not on the class path.",
                    "Add '" + dependency + "', or choose a 'nonce-store' other than 'jdbc' if only nonces are stored.");
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
