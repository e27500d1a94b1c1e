package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import io.credential.spring.autoconfigure.ConfiguredSslBundle;
import io.credential.spring.autoconfigure.CredentialConfigurationException;
import io.credential.spring.autoconfigure.WebhookSignerProperties;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.signature.SendHttp;

/**
 * What the configured signers send with: one resolver of names for all, connections for each. Threads and sockets come
 * with the first request. Not thread-safe until all signers are made.
 */
final class SignerHttp implements AutoCloseable {

    private final DestinationVetter destinations;
    private final ObjectProvider<SslBundles> sslBundles;
    private final List<HttpWebhookTransport> transports = new ArrayList<>();

    SignerHttp(DestinationPolicy policy, HostResolver resolver, ObjectProvider<SslBundles> sslBundles) {
        this.destinations = new DestinationVetter(policy, resolver);
        this.sslBundles = sslBundles;
    }

    /**
     * @param property where it is configured
     * @throws CredentialConfigurationException when the SSL bundle cannot be used
     */
    SendHttp sending(String property, WebhookSignerProperties.Http configured) {
        HttpWebhookTransport.Builder builder =
                HttpWebhookTransport.builder().connectTimeout(configured.connectTimeout());
        String bundle = configured.sslBundle();
        if (bundle != null) {
            ConfiguredSslBundle.use(builder, sslBundles, property + ".ssl-bundle", bundle);
        }
        HttpWebhookTransport transport = builder.build();
        transports.add(transport);
        return new SendHttp(destinations, transport, configured.requestTimeout());
    }

    /** Requests under way are let finish for a while. */
    @Override
    public void close() {
        destinations.close();
        transports.forEach(HttpWebhookTransport::close);
    }
}
