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
 * Provides HTTP for the configured signers: a shared resolver of names, and a transport for each, unless the
 * application has its own. Threads and connections are created by the first request. Not thread-safe until all signers
 * are created.
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
     * @param property where HTTP is configured
     * @throws CredentialConfigurationException if the SSL bundle cannot be used
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

    /** Waits a while for running requests. Does not close the transport of the application. */
    @Override
    public void close() {
        destinations.close();
        transports.forEach(HttpWebhookTransport::close);
    }
}
