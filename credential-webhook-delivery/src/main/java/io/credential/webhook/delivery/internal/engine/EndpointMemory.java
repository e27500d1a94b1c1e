package io.credential.webhook.delivery.internal.engine;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Remembers which endpoints answered and which timed out at their last attempt, the latest of each. Not thread-safe. */
final class EndpointMemory {

    private static final int MAX_REMEMBERED = 10_000;

    /** How many attempts may run at once, by endpoint. */
    private final Map<String, Integer> answering = new LinkedHashMap<>();

    private final Set<String> silent = new LinkedHashSet<>();

    /** Returns how many attempts of an endpoint may run at once; null unless it answered. */
    @Nullable Integer capOf(String endpointId) {
        return answering.get(endpointId);
    }

    boolean isSilent(String endpointId) {
        return silent.contains(endpointId);
    }

    Set<String> silent() {
        return silent;
    }

    void answered(String endpointId, int cap) {
        forget(endpointId);
        answering.put(endpointId, cap);
        limit(answering.keySet());
    }

    void timedOut(String endpointId) {
        forget(endpointId);
        silent.add(endpointId);
        limit(silent);
    }

    private void forget(String endpointId) {
        answering.remove(endpointId);
        silent.remove(endpointId);
    }

    /** Removes the oldest. */
    private static void limit(Set<String> endpointIds) {
        if (endpointIds.size() > MAX_REMEMBERED) {
            endpointIds.remove(endpointIds.iterator().next());
        }
    }
}
