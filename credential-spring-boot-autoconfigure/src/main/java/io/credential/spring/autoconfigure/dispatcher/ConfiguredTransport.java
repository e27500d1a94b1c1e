package io.credential.spring.autoconfigure.dispatcher;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import io.credential.spring.autoconfigure.internal.egress.ConfiguredSslBundle;
import io.credential.spring.autoconfigure.internal.egress.Egress;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/**
 * Selects the transport of the dispatcher: the one of the application, one with the configured proxy and certificates,
 * or else the default of the dispatcher. Closed after the dispatcher, which depends on it.
 */
final class ConfiguredTransport implements AutoCloseable {

    private static final String SSL_BUNDLE = "credential.webhook.dispatcher.ssl-bundle";

    private final @Nullable WebhookTransport applicationTransport;
    private final @Nullable HttpWebhookTransport ownTransport;

    private ConfiguredTransport(
            @Nullable WebhookTransport applicationTransport, @Nullable HttpWebhookTransport ownTransport) {
        this.applicationTransport = applicationTransport;
        this.ownTransport = ownTransport;
    }

    static ConfiguredTransport of(
            WebhookDispatcherProperties properties, Egress egress, ObjectProvider<SslBundles> sslBundles) {
        WebhookTransport applicationTransport = egress.applicationTransport();
        boolean plain = egress.proxy() == null && properties.sslBundle().isEmpty();
        boolean needsOwn = applicationTransport == null && !plain;
        return new ConfiguredTransport(applicationTransport, needsOwn ? create(properties, egress, sslBundles) : null);
    }

    /** Opens no connection before the first attempt. */
    private static HttpWebhookTransport create(
            WebhookDispatcherProperties properties, Egress egress, ObjectProvider<SslBundles> sslBundles) {
        HttpWebhookTransport.Builder builder = egress.newTransport().maxConcurrent(properties.maxInFlight());
        if (!properties.sslBundle().isEmpty()) {
            ConfiguredSslBundle.use(builder, sslBundles, SSL_BUNDLE, properties.sslBundle());
        }
        return builder.build();
    }

    /** Returns the transport, or empty for the default of the dispatcher. */
    Optional<WebhookTransport> transport() {
        return Optional.ofNullable(applicationTransport != null ? applicationTransport : ownTransport);
    }

    /** Does not close the transport of the application. */
    @Override
    public void close() {
        if (ownTransport != null) {
            ownTransport.close();
        }
    }
}
