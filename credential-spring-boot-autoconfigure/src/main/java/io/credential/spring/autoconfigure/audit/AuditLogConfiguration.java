package io.credential.spring.autoconfigure.audit;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.StoredApiKeys;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.AuditLogProperties;
import io.credential.storage.internal.CredentialDatabase;

/** The audit log in the database, or that of the application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AuditLog.class)
class AuditLogConfiguration {

    @Bean
    AppendedEvents credentialAppendedEvents(ObjectProvider<AuditLog> logs) {
        AuditLog log = logs.getIfAvailable();
        return new AppendedEvents(log == null ? null : log.sink());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.AUDIT_LOG)
    static class Log {

        @Bean
        @ConditionalOnMissingBean(AuditLog.class)
        @DependsOn({"credentialSchemaInitializer", "credentialKeyringCheck"})
        JdbcAuditLog credentialAuditLog(
                CredentialDatabase database,
                Keyring keyring,
                SharedBeans shared,
                ObjectProvider<KeyVersions> versions,
                AuditLogProperties properties) {
            KeyVersions ofKeys = versions.getIfAvailable(() -> (store, sealedWith, drawn) -> KeyVersions::unknown);
            SecureRandom random = new SecureRandom();
            return new JdbcAuditLog(
                    database,
                    keyring,
                    shared.clock(),
                    random,
                    properties.onOverflow(),
                    properties.recordVerifications(),
                    ofKeys.reader(database, keyring, random));
        }
    }

    /** Lets the audit log compare changes with the keys. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcApiKeyRegistries.class)
    static class ApiKeys {

        @Bean
        KeyVersions credentialKeyVersions() {
            return StoredApiKeys::versions;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder credentialAuditLogMetrics(ObjectProvider<AuditLog> logs) {
            return registry -> logs.ifAvailable(log -> {
                AuditMetrics.lost(registry, "not-stored", log, AuditLog::lostEvents);
                if (log instanceof JdbcAuditLog jdbc) {
                    AuditMetrics.queued(registry, "log", jdbc, JdbcAuditLog::waitingEvents);
                }
            });
        }
    }

    /** Reads the versions of API keys by their ids. */
    @FunctionalInterface
    interface KeyVersions {

        /** Without the library, changes of keys cannot be compared with the keys. */
        static Map<String, Long> unknown(Collection<String> ids) {
            if (!ids.isEmpty()) {
                throw new IllegalStateException("The audit log contains changes of API keys. To verify it, add"
                        + " 'io.credential:credential-api-keys' to the class path");
            }
            return Map.of();
        }

        Function<Collection<String>, Map<String, Long>> reader(
                CredentialDatabase database, Keyring keyring, SecureRandom random);
    }
}
