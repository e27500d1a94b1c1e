package io.credential.spring.autoconfigure.operations.internal;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.auditlog.AuditLog;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.operations.internal.AuditOperations;

/** Imported by those who show the audit log, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Import(SharedBeans.class)
public class AuditOperationsConfiguration {

    @Bean
    AuditOperations credentialAuditOperations(AuditLog log, SharedBeans shared, BeanFactory beans) {
        return new AuditOperations(log, shared.auditSink(), CurrentActor.supplier(beans), shared.clock());
    }
}
