package io.credential.spring.autoconfigure.egress;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookTransport;

/**
 * Shared settings of everything that sends webhooks.
 *
 * @param policy decides which destinations are allowed
 * @param resolver looks up names
 * @param applicationTransport the application's own transport; null if it has none
 * @param proxy egress proxy of transports that are created here; null for none
 * @since 0.1.0
 */
public record Egress(
        DestinationPolicy policy,
        HostResolver resolver,
        @Nullable WebhookTransport applicationTransport,
        @Nullable URI proxy) {

    /** Returns a builder of a transport with the proxy. */
    public HttpWebhookTransport.Builder newTransport() {
        return HttpWebhookTransport.builder().proxy(proxy);
    }
}
