package io.credential.spring.autoconfigure.audit;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.internal.AppendingAuditSink;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.LoggingAuditSink;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;

/**
 * Configures an audit sink if the application has none. It logs events and, with Actuator, also publishes them. If the
 * audit log is enabled, it also appends them to the database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {CredentialDatabaseAutoConfiguration.class, KeyringAutoConfiguration.class})
@ConditionalOnCredential(Requirement.ANY_FEATURE)
@Import({AuditQueue.class, AuditMetrics.class, SharedBeans.class, AuditLogConfiguration.class})
public final class AuditAutoConfiguration {

    private static final String ACTUATOR_EVENT =
            "org.springframework.boot.actuate.audit.listener.AuditApplicationEvent";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithActuator {

        @Bean
        AuditSink credentialAuditSink(ApplicationEventPublisher events, ObjectProvider<AppendedEvents> log) {
            return withLog(log, new PublishingAuditSink(events, new LoggingAuditSink()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithoutActuator {

        @Bean
        AuditSink credentialAuditSink(ObjectProvider<AppendedEvents> log) {
            return withLog(log, new LoggingAuditSink());
        }
    }

    private static AuditSink withLog(ObjectProvider<AppendedEvents> logs, AuditSink others) {
        AppendedEvents log = logs.getIfAvailable();
        return log == null || log.sink() == null ? others : new AppendingAuditSink(log.sink(), others);
    }
}
