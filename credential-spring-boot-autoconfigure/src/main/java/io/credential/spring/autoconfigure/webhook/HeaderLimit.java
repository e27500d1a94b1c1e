package io.credential.spring.autoconfigure.webhook;

import java.util.OptionalInt;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * Calculates the size of request headers that post-quantum signatures need, and the number of connections that then
 * need no more memory for headers than before.
 */
final class HeaderLimit {

    private static final String CONFIGURED = "server.max-http-request-header-size";

    /** While keys are exchanged, the old and the new one both sign each request. */
    private static final int SIGNATURES = 2;

    private static final int HEX_CHARACTERS_PER_BYTE = 2;

    /** The default of servers, for all other headers. */
    private static final int OTHER_HEADERS = 8 * 1024;

    /** The total with Tomcat's defaults: 8192 connections with 8 KiB each. */
    private static final int MEMORY = 8192 * 8 * 1024;

    private final WebhookProperties properties;
    private final WebhookVerifiers verifiers;
    private final Environment environment;

    HeaderLimit(WebhookProperties properties, WebhookVerifiers verifiers, Environment environment) {
        this.properties = properties;
        this.verifiers = verifiers;
        this.environment = environment;
    }

    /**
     * Returns the size of the request headers in bytes; empty if no inbound webhook is post-quantum.
     *
     * @throws CredentialConfigurationException if the application configures less
     */
    OptionalInt needed() {
        OptionalInt needed = properties.inbound().entrySet().stream()
                .filter(inbound -> inbound.getValue().algorithm() == Algorithm.PQC_PEM)
                .mapToInt(inbound -> verifiers.get(inbound.getKey()).signatureBytes())
                .max();
        if (needed.isEmpty()) {
            return needed;
        }
        int bytes = needed.getAsInt() * HEX_CHARACTERS_PER_BYTE * SIGNATURES + OTHER_HEADERS;
        refuseLess(bytes);
        return OptionalInt.of(bytes);
    }

    /** Returns the maximum number of connections with such headers. */
    static int connections(int headerBytes) {
        return Math.max(1, MEMORY / headerBytes);
    }

    /** Returns whether the application configures the number of connections. */
    boolean hasConnections(String property) {
        return Binder.get(environment)
                .bind(property, Bindable.of(Integer.class))
                .isBound();
    }

    private void refuseLess(int needed) {
        Binder.get(environment).bind(CONFIGURED, Bindable.of(DataSize.class)).ifBound(configured -> {
            if (configured.toBytes() < needed) {
                throw new CredentialConfigurationException(
                        "'" + CONFIGURED + "' is " + configured.toBytes()
                                + " bytes, but the headers of a request with two post-quantum signatures, as"
                                + " 'credential.webhook.inbound' accepts them, have up to " + needed + " bytes.",
                        "Remove '" + CONFIGURED + "', so that it is raised as needed, or set it to " + needed
                                + "B or more.");
            }
        });
    }
}
