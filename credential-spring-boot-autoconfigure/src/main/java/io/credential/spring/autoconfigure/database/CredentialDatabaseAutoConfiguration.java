package io.credential.spring.autoconfigure.database;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;

/**
 * The database that everything is stored in, with its schema brought up to date before anything uses it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, LocalSqliteAutoConfiguration.class})
@ConditionalOnCredential(Requirement.STORAGE)
@Import({
    // In this order: each looks for a bean that those after it would add.
    ApplicationDatabaseConfiguration.class,
    RequiredSchemaConfiguration.class,
    OnDemandSchemaConfiguration.class,
    DatabaseConfiguration.class,
    DatabaseInitializationDependencyConfigurer.class
})
public final class CredentialDatabaseAutoConfiguration {}
