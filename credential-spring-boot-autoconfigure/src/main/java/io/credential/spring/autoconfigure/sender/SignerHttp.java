package io.credential.spring.autoconfigure.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.egress.ConfiguredSslBundle;
import io.credential.spring.autoconfigure.internal.egress.Egress;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.SendHttp;
import io.credential.webhook.http.SendOptions;
import io.credential.webhook.http.SendRetry;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/**
 * Provides HTTP for signers: a shared resolver of names, and a transport for each configured signer and one for the
 * others, unless the application has its own. Threads and connections are created by the first request. Not
 * thread-safe until the sender is created.
 */
final class SignerHttp implements AutoCloseable {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

    private final Egress egress;
    private final DestinationVetter destinations;
    private final ObjectProvider<SslBundles> sslBundles;
    private final List<HttpWebhookTransport> transports = new ArrayList<>();

    SignerHttp(Egress egress, ObjectProvider<SslBundles> sslBundles) {
        this.egress = egress;
        this.destinations = new DestinationVetter(egress.policy(), egress.resolver());
        this.sslBundles = sslBundles;
    }

    /** Returns the HTTP access of signers that the application has built itself. */
    SendHttp shared() {
        WebhookTransport application = egress.applicationTransport();
        return new SendHttp(
                destinations, application != null ? application : created(egress.newTransport()), REQUEST_TIMEOUT);
    }

    /**
     * @param property the prefix of the properties
     * @throws CredentialConfigurationException if the SSL bundle cannot be used
     */
    SendOptions options(String property, WebhookSignerProperties signer) {
        WebhookSignerProperties.Http http = signer.http();
        WebhookSignerProperties.Retry retry = signer.retry();
        WebhookTransport application = egress.applicationTransport();
        return new SendOptions(
                new SendHttp(
                        destinations,
                        application != null ? application : own(property + ".http", http),
                        http.requestTimeout()),
                new SendRetry(retry.maxAttempts(), retry.initial(), retry.max()),
                signer.auditSuccess(),
                signer.auditFailures());
    }

    private WebhookTransport own(String property, WebhookSignerProperties.Http configured) {
        HttpWebhookTransport.Builder builder = egress.newTransport().connectTimeout(configured.connectTimeout());
        String bundle = configured.sslBundle();
        if (bundle != null) {
            ConfiguredSslBundle.use(builder, sslBundles, property + ".ssl-bundle", bundle);
        }
        return created(builder);
    }

    private WebhookTransport created(HttpWebhookTransport.Builder builder) {
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
