package io.credential.webhook.delivery;

import java.util.List;

/**
 * The dead deliveries by endpoint and reason.
 *
 * @param groups the largest first; unmodifiable
 * @param complete whether all dead deliveries were examined; otherwise, each number is a lower bound
 * @since 0.1.0
 */
public record DeadLetterGroups(List<DeadLetterGroup> groups, boolean complete) {

    public DeadLetterGroups {
        groups = List.copyOf(groups);
    }
}
