package io.credential.spring.webhook.internal;

import java.util.List;
import java.util.Set;

/**
 * One sender of incoming webhooks.
 *
 * @param name the configured name
 * @param paths path patterns of requests that must be signed, as in controller mappings
 * @param methods the HTTP methods of webhooks
 * @param check verifies requests
 * @param maxBodySize the maximum size of the body in bytes
 */
public record InboundWebhook(
        String name, List<String> paths, Set<String> methods, SignatureCheck check, long maxBodySize) {}
