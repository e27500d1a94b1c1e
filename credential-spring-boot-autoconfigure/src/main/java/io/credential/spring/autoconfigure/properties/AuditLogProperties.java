package io.credential.spring.autoconfigure.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.auditlog.internal.OverflowPolicy;

/**
 * Configuration properties of the audit log in the database. Immutable.
 *
 * @param enabled Whether to append audit events to a table in which changes are detected.
 * @param onOverflow What happens to an event while 10,000 events wait for the database: with 'wait' the caller waits
 *     for up to a second, with 'drop' it does not. Events that are lost are counted.
 * @param recordVerifications Whether to append successful verifications of API keys and webhooks, one for each request.
 * @since 0.1.0
 */
@ConfigurationProperties("credential.audit.jdbc")
public record AuditLogProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("wait") OverflowPolicy onOverflow,
        @DefaultValue("false") boolean recordVerifications) {}
