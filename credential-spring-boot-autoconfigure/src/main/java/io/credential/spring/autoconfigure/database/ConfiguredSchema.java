package io.credential.spring.autoconfigure.database;

import java.util.Optional;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;
import io.credential.webhook.replay.internal.JdbcNonceStore;

/** Selects the scripts for the tables of the configured products. Each nested class is loaded only with its library. */
final class ConfiguredSchema {

    private ConfiguredSchema() {}

    /** Returns the scripts that share a history table: all but those of the dispatcher. */
    static SchemaScripts scripts(Environment environment) {
        SchemaScripts scripts = SchemaScripts.CORE;
        if (Requirement.REGISTRIES.isMet(environment)) {
            scripts = scripts.and(ApiKeys.scripts());
        }
        if (Requirement.USAGE.isMet(environment)) {
            scripts = scripts.and(Usage.scripts());
        }
        if (Requirement.JDBC_NONCES.isMet(environment)) {
            scripts = scripts.and(Nonces.scripts());
        }
        if (Requirement.INBOX.isMet(environment)) {
            scripts = scripts.and(Inbox.scripts());
        }
        if (Requirement.AUDIT_LOG.isMet(environment)) {
            scripts = scripts.and(AuditLog.scripts());
        }
        return scripts;
    }

    /** Returns the scripts of the dispatcher for PostgreSQL; empty if there is none. */
    static Optional<SchemaScripts> dispatcherScripts(Environment environment, Binder properties) {
        return Requirement.DISPATCHER.isMet(environment)
                ? Optional.of(Dispatcher.scripts(properties))
                : Optional.empty();
    }

    private static final class ApiKeys {

        static SchemaScripts scripts() {
            return JdbcApiKeyRegistries.SCHEMA.and(JdbcBucketStore.SCHEMA);
        }
    }

    private static final class Usage {

        static SchemaScripts scripts() {
            return JdbcUsageStore.SCHEMA;
        }
    }

    private static final class Nonces {

        static SchemaScripts scripts() {
            return JdbcNonceStore.SCHEMA;
        }
    }

    private static final class Inbox {

        static SchemaScripts scripts() {
            return JdbcWebhookInbox.SCHEMA;
        }
    }

    private static final class AuditLog {

        static SchemaScripts scripts() {
            return JdbcAuditLog.SCHEMA;
        }
    }

    private static final class Dispatcher {

        private static final String PREFIX = "credential.webhook.dispatcher.";

        static SchemaScripts scripts(Binder properties) {
            return DispatcherTables.named(
                            table(properties, "endpoints-table", DispatcherTables.DEFAULT_ENDPOINTS),
                            table(properties, "deliveries-table", DispatcherTables.DEFAULT_DELIVERIES))
                    .scripts(SqlDialect.POSTGRESQL);
        }

        private static String table(Binder properties, String name, String defaultValue) {
            return properties.bind(PREFIX + name, String.class).orElse(defaultValue);
        }
    }
}
