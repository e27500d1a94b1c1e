package io.credential.spring.autoconfigure.database;

import org.springframework.beans.factory.InitializingBean;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SqlDialect;

/** Migrates or validates the schema when the context starts. */
final class SchemaInitializer implements InitializingBean {

    private final CredentialDatabase database;
    private final CredentialProperties properties;

    SchemaInitializer(CredentialDatabase database, CredentialProperties properties) {
        this.database = database;
        this.properties = properties;
    }

    @Override
    public void afterPropertiesSet() {
        if (properties.mode() == Mode.CLUSTER && database.dialect() != SqlDialect.POSTGRESQL) {
            throw new CredentialConfigurationException(
                    "In cluster mode all nodes share one PostgreSQL database, but the DataSource is a local SQLite"
                            + " file.",
                    "Set 'spring.datasource.url' to the shared PostgreSQL database; or set 'credential.mode=single' if"
                            + " there is only one node.");
        }
        new SchemaMigrator(database).run(properties.storage().schema());
    }
}
