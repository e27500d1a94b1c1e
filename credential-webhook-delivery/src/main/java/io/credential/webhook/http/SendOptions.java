package io.credential.webhook.http;

import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;

/**
 * How a {@link WebhookSender} sends the webhooks of one signer.
 *
 * @param http where it sends them, and over which connections
 * @param retry the attempts and the pauses between them
 * @param auditSuccess whether accepted webhooks are audited
 * @param auditFailures whether webhooks that were not accepted are audited
 * @since 0.1.0
 */
public record SendOptions(SendHttp http, SendRetry retry, boolean auditSuccess, boolean auditFailures) {

    /**
     * @throws WebhookException {@code webhook/bad-opt} if an argument is null
     */
    public SendOptions {
        WebhookOptions.required(http, "http");
        WebhookOptions.required(retry, "retry");
    }
}
