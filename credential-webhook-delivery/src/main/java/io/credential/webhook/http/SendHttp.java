package io.credential.webhook.http;

import java.time.Duration;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;

/**
 * The HTTP access of a {@link WebhookSender}. Its creator closes the parts; several senders may share them.
 *
 * @param destinations decides where webhooks may be sent
 * @param transport sends them
 * @param requestTimeout for DNS, connect, TLS, headers and body of one attempt together; more than zero
 * @since 0.1.0
 */
public record SendHttp(DestinationVetter destinations, WebhookTransport transport, Duration requestTimeout) {

    /**
     * @throws WebhookException {@code webhook/bad-opt} if an argument is null, or the timeout is not positive
     */
    public SendHttp {
        WebhookOptions.required(destinations, "destinations");
        WebhookOptions.required(transport, "transport");
        WebhookOptions.required(requestTimeout, "requestTimeout");
        if (requestTimeout.compareTo(Duration.ZERO) <= 0) {
            throw new WebhookException(WebhookErrorCode.BAD_OPT, "requestTimeout must be more than zero");
        }
    }
}
