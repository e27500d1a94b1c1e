package io.credential.spring.autoconfigure.audit;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;

/** Also publishes each event as an audit event of Actuator. Loaded only if Actuator is present. */
final class PublishingAuditSink implements AuditSink {

    private final ApplicationEventPublisher events;
    private final AuditSink log;

    PublishingAuditSink(ApplicationEventPublisher events, AuditSink log) {
        this.events = events;
        this.log = log;
    }

    // Actuator's name for an unknown principal.
    private static final String UNKNOWN_PRINCIPAL = "<unknown>";

    @Override
    public void record(AuditEvent event) {
        log.record(event);
        String principal = event.actor() != null ? event.actor() : UNKNOWN_PRINCIPAL;
        events.publishEvent(new AuditApplicationEvent(event.time(), principal, event.name(), data(event)));
    }

    private static Map<String, @Nullable Object> data(AuditEvent event) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>(event.attributes());
        data.put("outcome", event.outcome().text());
        data.put("resourceKind", event.resourceKind());
        if (event.reason() != null) {
            data.put("reason", event.reason());
        }
        if (event.resourceId() != null) {
            data.put("resourceId", event.resourceId());
        }
        return data;
    }
}
