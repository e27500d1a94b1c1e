package io.credential.spring.autoconfigure.dispatcher;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;

/** Configures the dispatcher from the properties. */
final class ConfiguredDispatcher {

    private static final String PREFIX = "credential.webhook.dispatcher";

    private ConfiguredDispatcher() {}

    /**
     * @param builder with the options that are not properties
     * @throws CredentialConfigurationException if the dispatcher rejects the properties
     */
    static JdbcWebhookDispatcher build(JdbcWebhookDispatcherBuilder builder, WebhookDispatcherProperties properties) {
        configure(builder, properties);
        try {
            return builder.build();
        } catch (WebhookDispatcherException e) {
            throw new CredentialConfigurationException(
                    "The configuration under '" + PREFIX + "' cannot be used (" + e.code() + "): " + e.getMessage()
                            + ".",
                    "Correct the properties under '" + PREFIX + "'.",
                    e);
        }
    }

    private static void configure(JdbcWebhookDispatcherBuilder builder, WebhookDispatcherProperties properties) {
        builder.endpointsTable(properties.endpointsTable())
                .deliveriesTable(properties.deliveriesTable())
                .maxAttempts(properties.maxAttempts())
                .retryBackoff(properties.retryBackoff().toRetryBackoff())
                .claimReclaimAfter(properties.claimReclaimAfter())
                .batchSize(properties.batchSize())
                .requestTimeout(properties.requestTimeout())
                .dispatchWait(properties.dispatchWait())
                .pauseAfter(properties.pauseAfter())
                .secretOverlap(properties.secretOverlap())
                .maxInFlight(properties.maxInFlight())
                .maxInFlightPerEndpoint(properties.maxInFlightPerEndpoint())
                .maxInFlightBytes(properties.maxInFlightBytes().toBytes())
                .requireAudience(properties.requireAudience())
                .maxPayloadSize((int) properties.maxPayloadSize().toBytes())
                .retention(properties.retention())
                .payloadRetention(properties.payloadRetention())
                .operationalEvents(properties.operationalEvents().enabled())
                .signatureHeader(properties.signatureHeader())
                .requestHeaders(properties.requestHeaders());
    }
}
