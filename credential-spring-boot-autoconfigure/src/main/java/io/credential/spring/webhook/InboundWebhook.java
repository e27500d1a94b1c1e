package io.credential.spring.webhook;

import java.util.List;
import java.util.Set;

/**
 * One sender of incoming webhooks. Immutable.
 *
 * @param name as it is configured
 * @param paths patterns of the paths whose requests must be signed, as controllers map them
 * @param methods the HTTP methods that are accepted as webhooks
 * @param check verifies them
 * @param maxBodySize bytes of the longest body that is accepted
 * @since 0.1.0
 */
public record InboundWebhook(
        String name, List<String> paths, Set<String> methods, SignatureCheck check, long maxBodySize) {

    /** Copies the collections. */
    public InboundWebhook {
        paths = List.copyOf(paths);
        methods = Set.copyOf(methods);
    }
}
