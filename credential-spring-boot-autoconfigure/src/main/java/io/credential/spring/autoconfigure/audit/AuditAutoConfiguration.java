package io.credential.spring.autoconfigure.audit;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;

/**
 * Configures an audit sink if the application has none. It logs events and, with Actuator, also publishes them.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnCredential(Requirement.ANY_FEATURE)
public final class AuditAutoConfiguration {

    private static final String ACTUATOR_EVENT =
            "org.springframework.boot.actuate.audit.listener.AuditApplicationEvent";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithActuator {

        @Bean
        PublishingAuditSink credentialAuditSink(ApplicationEventPublisher events) {
            return new PublishingAuditSink(events, new LoggingAuditSink());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(ACTUATOR_EVENT)
    @ConditionalOnMissingBean(AuditSink.class)
    static class WithoutActuator {

        @Bean
        LoggingAuditSink credentialAuditSink() {
            return new LoggingAuditSink();
        }
    }
}
