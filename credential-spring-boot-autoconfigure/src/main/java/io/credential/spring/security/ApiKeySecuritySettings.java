package io.credential.spring.security;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.credential.audit.AuditSink;

/**
 * The properties for keys in requests; the defaults of every {@link ApiKeyConfigurer}.
 *
 * @param headerName the header in which keys are expected, besides {@code Authorization: ApiKey}
 * @param accept the namespaces whose keys a chain accepts that names none itself; empty when there is one registry only
 * @param configured the namespaces that have a registry in the configuration
 * @param unaudited the namespaces whose registries do not audit failures
 * @param clock tells when a request was authenticated
 * @param auditSink takes the audit events of requests
 * @param countReports takes what reports the refusals that a chain only counted; each is run from time to time
 * @since 0.1.0
 */
public record ApiKeySecuritySettings(
        String headerName,
        List<String> accept,
        Set<String> configured,
        Set<String> unaudited,
        InstantSource clock,
        AuditSink auditSink,
        Consumer<Runnable> countReports) {

    public ApiKeySecuritySettings {
        accept = List.copyOf(accept);
        configured = Set.copyOf(configured);
        unaudited = Set.copyOf(unaudited);
    }
}
