package io.credential.spring.autoconfigure.database;

import org.springframework.core.env.Environment;

import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.auditlog.JdbcAuditLog;
import io.credential.ratelimit.JdbcBucketStore;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.storage.SchemaScripts;
import io.credential.webhook.replay.JdbcNonceStore;

/**
 * Selects the scripts for the tables of the configured products. The dispatcher has its own. A product that is not on the
 * class path cannot be configured, so its class is not loaded.
 */
final class ConfiguredSchema {

    private ConfiguredSchema() {}

    static SchemaScripts scripts(Environment environment) {
        SchemaScripts scripts = SchemaScripts.CORE;
        if (Requirement.REGISTRIES.isMet(environment)) {
            scripts = scripts.and(JdbcApiKeyRegistries.SCHEMA).and(JdbcBucketStore.SCHEMA);
        }
        if (Requirement.JDBC_NONCES.isMet(environment)) {
            scripts = scripts.and(JdbcNonceStore.SCHEMA);
        }
        if (Requirement.AUDIT_LOG.isMet(environment)) {
            scripts = scripts.and(JdbcAuditLog.SCHEMA);
        }
        return scripts;
    }
}
