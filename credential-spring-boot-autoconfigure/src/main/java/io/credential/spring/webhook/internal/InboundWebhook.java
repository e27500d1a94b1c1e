package io.credential.spring.webhook.internal;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.spring.webhook.WebhookHandshake;

/**
 * One sender of incoming webhooks.
 *
 * @param name the configured name
 * @param paths path patterns of requests that must be signed, as in controller mappings
 * @param methods the HTTP methods of webhooks
 * @param check verifies requests
 * @param maxBodySize the maximum size of the body in bytes, both as it is sent and decoded
 * @param encodedBodySigned whether signatures cover a compressed body as it is sent, and not the decoded one
 * @param handshake answers the requests by which the sender checks the URL; null if it sends none
 * @param store takes verified webhooks; null if they go to the application
 */
public record InboundWebhook(
        String name,
        List<String> paths,
        Set<String> methods,
        SignatureCheck check,
        long maxBodySize,
        boolean encodedBodySigned,
        @Nullable WebhookHandshake handshake,
        @Nullable WebhookStore store) {}
