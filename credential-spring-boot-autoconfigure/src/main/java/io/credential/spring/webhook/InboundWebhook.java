package io.credential.spring.webhook;

import java.util.List;

/**
 * One sender of incoming webhooks. Immutable.
 *
 * @param name as it is configured
 * @param paths patterns of the paths whose requests must be signed, as controllers map them
 * @param check verifies them
 * @param maxBodySize bytes of the longest body that is accepted
 * @since 0.1.0
 */
public record InboundWebhook(String name, List<String> paths, SignatureCheck check, long maxBodySize) {

    /** Copies the list. */
    public InboundWebhook {
        paths = List.copyOf(paths);
    }
}
