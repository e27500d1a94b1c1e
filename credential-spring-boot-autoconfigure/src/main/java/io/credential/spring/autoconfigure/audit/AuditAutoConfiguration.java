package io.credential.spring.autoconfigure.audit;

import java.security.SecureRandom;
import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;

import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.JdbcAuditLog;
import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.bean.SoleBean;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.properties.AuditLogProperties;
import io.credential.storage.CredentialDatabase;

/**
 * Configures an audit sink if the application has none. It logs events and, with Actuator, also publishes them. If the
 * audit log is enabled, it also appends them to the database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {CredentialDatabaseAutoConfiguration.class, KeyringAutoConfiguration.class})
@ConditionalOnCredential(Requirement.ANY_FEATURE)
@Import({AuditQueue.class, AuditMetrics.class})
public final class AuditAutoConfiguration {

    private static final String ACTUATOR_EVENT =
            "org.springframework.boot.actuate.audit.listener.AuditApplicationEvent";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.AUDIT_LOG)
    static class Log {

        @Bean
        @ConditionalOnMissingBean(AuditLog.class)
        @DependsOn({"credentialSchemaInitializer", "credentialKeyringCheck"})
        JdbcAuditLog credentialAuditLog(
                CredentialDatabase database,
                Keyring keyring,
                @CredentialClock ObjectProvider<InstantSource> clocks,
                AuditLogProperties properties) {
            SecureRandom random = new SecureRandom();
            return new JdbcAuditLog(
                    database,
                    keyring,
                    SoleBean.clock(clocks),
                    random,
                    properties.onOverflow(),
                    properties.recordVerifications(),
                    JdbcApiKeyRegistries.versions(database, keyring, random));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithActuator {

        @Bean
        AuditSink credentialAuditSink(ApplicationEventPublisher events, ObjectProvider<AuditLog> log) {
            return withLog(log, new PublishingAuditSink(events, new LoggingAuditSink()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithoutActuator {

        @Bean
        AuditSink credentialAuditSink(ObjectProvider<AuditLog> log) {
            return withLog(log, new LoggingAuditSink());
        }
    }

    private static AuditSink withLog(ObjectProvider<AuditLog> logs, AuditSink others) {
        AuditLog log = logs.getIfAvailable();
        return log == null ? others : new AppendingAuditSink(log.sink(), others);
    }
}
