package io.credential.spring.autoconfigure.internal.egress;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/**
 * Shared settings of everything that sends webhooks.
 *
 * @param policy decides which destinations are allowed
 * @param resolver looks up names
 * @param applicationTransport the application's own transport; null if it has none
 * @param proxy egress proxy of transports that are created here; null for none
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
