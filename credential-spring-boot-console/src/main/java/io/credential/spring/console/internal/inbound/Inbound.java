package io.credential.spring.console.internal.inbound;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.spring.operations.internal.InboundOperations;
import io.credential.spring.operations.internal.InboundOperations.SenderActivity;

/**
 * What the page about incoming webhooks shows.
 *
 * @param storedNonces how many nonces are in the database; null if no sender stores them there
 */
public record Inbound(
        List<SenderActivity> senders, @Nullable Integer storedNonces) {

    public Inbound {
        senders = List.copyOf(senders);
    }

    /** Returns whether there may be more nonces than were counted. */
    public boolean isAtLeast() {
        return storedNonces != null && storedNonces >= InboundOperations.MAX_NONCES;
    }
}
