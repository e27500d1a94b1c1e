package io.credential.spring.autoconfigure.database;

import java.time.InstantSource;

import org.springframework.beans.factory.InitializingBean;

import io.credential.internal.cluster.ClockComparison;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;

/** Migrates or validates the schema when the context starts. In cluster mode, first checks that nodes can share it. */
final class SchemaInitializer implements InitializingBean {

    private final CredentialDatabase database;
    private final SchemaScripts scripts;
    private final CredentialProperties properties;
    private final InstantSource clock;
    private final CredentialSchedule schedule;

    SchemaInitializer(
            CredentialDatabase database,
            SchemaScripts scripts,
            CredentialProperties properties,
            InstantSource clock,
            CredentialSchedule schedule) {
        this.database = database;
        this.scripts = scripts;
        this.properties = properties;
        this.clock = clock;
        this.schedule = schedule;
    }

    @Override
    public void afterPropertiesSet() {
        if (properties.mode() == Mode.CLUSTER) {
            requireShared();
            ClockWatch watch = new ClockWatch(new ClockComparison(database, clock, System::nanoTime)::difference);
            watch.requireClose();
            watch.addTo(schedule);
        }
        new SchemaMigrator(database, scripts).run(properties.storage().schema());
    }

    private void requireShared() {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw new CredentialConfigurationException(
                    "In cluster mode all nodes share one PostgreSQL database, but the DataSource is a local SQLite"
                            + " file.",
                    "Set 'spring.datasource.url' to the shared PostgreSQL database; or set 'credential.mode=single' if"
                            + " there is only one node.");
        }
    }
}
