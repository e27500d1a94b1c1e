package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.egress.ConfiguredSslBundle;
import io.credential.spring.autoconfigure.egress.Egress;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.signature.SendHttp;

/**
 * Provides the configured signers with HTTP: one resolver of names for all, and connections for each, unless the
 * application has a transport. Threads and sockets come with the first request. Not thread-safe until all signers are
 * made.
 */
final class SignerHttp implements AutoCloseable {

    private final Egress egress;
    private final DestinationVetter destinations;
    private final ObjectProvider<SslBundles> sslBundles;
    private final List<HttpWebhookTransport> transports = new ArrayList<>();

    SignerHttp(Egress egress, ObjectProvider<SslBundles> sslBundles) {
        this.egress = egress;
        this.destinations = new DestinationVetter(egress.policy(), egress.resolver());
        this.sslBundles = sslBundles;
    }

    /**
     * @param property where it is configured
     * @throws CredentialConfigurationException when the SSL bundle cannot be used
     */
    SendHttp sending(String property, WebhookSignerProperties.Http configured) {
        WebhookTransport application = egress.applicationTransport();
        return new SendHttp(
                destinations,
                application != null ? application : own(property, configured),
                configured.requestTimeout());
    }

    private WebhookTransport own(String property, WebhookSignerProperties.Http configured) {
        HttpWebhookTransport.Builder builder = egress.newTransport().connectTimeout(configured.connectTimeout());
        String bundle = configured.sslBundle();
        if (bundle != null) {
            ConfiguredSslBundle.use(builder, sslBundles, property + ".ssl-bundle", bundle);
        }
        HttpWebhookTransport transport = builder.build();
        transports.add(transport);
        return transport;
    }

    /** Requests under way are let finish for a while. The application's transport stays open. */
    @Override
    public void close() {
        destinations.close();
        transports.forEach(HttpWebhookTransport::close);
    }
}
