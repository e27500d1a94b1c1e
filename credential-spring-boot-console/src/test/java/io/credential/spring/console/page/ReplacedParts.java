package io.credential.spring.console.page;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.testing.Patience;

/** Parts of the {@link PageApplication} that a test can bring into a state which they have rarely. */
@Configuration(proxyBeanMethods = false)
class ReplacedParts {

    @Bean
    static BeanPostProcessor heldAuditLog() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof AuditLog log ? new HeldAuditLog(log) : bean;
            }
        };
    }

    /** The log, whose verification can be held. */
    static final class HeldAuditLog implements AuditLog {

        private final AuditLog log;
        private volatile CountDownLatch mayEnd = new CountDownLatch(0);

        HeldAuditLog(AuditLog log) {
            this.log = log;
        }

        void hold() {
            mayEnd = new CountDownLatch(1);
        }

        void release() {
            mayEnd.countDown();
        }

        @Override
        public AuditVerification verify() {
            Patience.await(mayEnd);
            return log.verify();
        }

        @Override
        public AuditVerification verify(AuditHead exported) {
            return log.verify(exported);
        }

        @Override
        public AuditSink sink() {
            return log.sink();
        }

        @Override
        public long lostEvents() {
            return log.lostEvents();
        }

        @Override
        public AuditPage search(AuditQuery query) {
            return log.search(query);
        }

        @Override
        public Optional<StoredAuditEvent> lastVerification() {
            return log.lastVerification();
        }
    }
}
