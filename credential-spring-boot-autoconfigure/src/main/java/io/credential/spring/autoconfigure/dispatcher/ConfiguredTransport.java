package io.credential.spring.autoconfigure.dispatcher;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import io.credential.spring.autoconfigure.egress.ConfiguredSslBundle;
import io.credential.spring.autoconfigure.egress.Egress;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookTransport;

/**
 * Selects the transport of the dispatcher: the application's, one with the proxy and the certificates of the
 * properties, or, without any of these, the dispatcher's default. Closed after the dispatcher, which depends on it.
 */
final class ConfiguredTransport implements AutoCloseable {

    private static final String SSL_BUNDLE = "credential.webhook.dispatcher.ssl-bundle";

    private final @Nullable WebhookTransport given;
    private final @Nullable HttpWebhookTransport made;

    private ConfiguredTransport(@Nullable WebhookTransport given, @Nullable HttpWebhookTransport made) {
        this.given = given;
        this.made = made;
    }

    static ConfiguredTransport of(
            WebhookDispatcherProperties properties, Egress egress, ObjectProvider<SslBundles> sslBundles) {
        WebhookTransport given = egress.applicationTransport();
        boolean plain = egress.proxy() == null && properties.sslBundle().isEmpty();
        return new ConfiguredTransport(given, given != null || plain ? null : make(properties, egress, sslBundles));
    }

    /** Costs nothing before the first attempt. One host gets a quarter of the connections, which must be enough. */
    private static HttpWebhookTransport make(
            WebhookDispatcherProperties properties, Egress egress, ObjectProvider<SslBundles> sslBundles) {
        int forOneEndpoint = Math.min(properties.maxInFlightPerEndpoint(), properties.maxInFlight());
        HttpWebhookTransport.Builder builder =
                egress.newTransport().maxConcurrent(Math.max(properties.maxInFlight(), 4 * forOneEndpoint));
        if (!properties.sslBundle().isEmpty()) {
            ConfiguredSslBundle.use(builder, sslBundles, SSL_BUNDLE, properties.sslBundle());
        }
        return builder.build();
    }

    /** Empty for the dispatcher's default. */
    Optional<WebhookTransport> transport() {
        return Optional.ofNullable(given != null ? given : made);
    }

    /** Not the application's. */
    @Override
    public void close() {
        if (made != null) {
            made.close();
        }
    }
}
