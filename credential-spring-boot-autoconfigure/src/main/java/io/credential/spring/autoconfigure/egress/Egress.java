package io.credential.spring.autoconfigure.egress;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookTransport;

/**
 * The one way out for everything that sends webhooks: where they may go, who looks up names, and through which proxy.
 *
 * @param policy decides where webhooks may go
 * @param resolver looks up names
 * @param applicationTransport the application's own transport; null when it has none
 * @param proxy egress proxy of the transports that we make; null for none
 * @since 0.1.0
 */
public record Egress(
        DestinationPolicy policy,
        HostResolver resolver,
        @Nullable WebhookTransport applicationTransport,
        @Nullable URI proxy) {

    /** A new transport that takes the way out; the rest of its options is the caller's. */
    public HttpWebhookTransport.Builder newTransport() {
        return HttpWebhookTransport.builder().proxy(proxy);
    }
}
