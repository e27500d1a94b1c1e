package io.credential.webhook.delivery.internal.outbox;

import java.util.Arrays;
import java.util.List;

import io.credential.webhook.delivery.internal.DispatcherRules;

/** Lists what an endpoint can subscribe to in order to receive the events of a type. */
final class Subscriptions {

    /** The type, a wildcard for each of its first dots, and all types. */
    static final int COUNT = DispatcherRules.MAX_WILDCARD_DOTS + 2;

    private Subscriptions() {}

    /**
     * Returns always as many, so that statements with them have the same text and plan for all types: {@code *} repeats. The
     * type is the first.
     */
    static List<String> to(String eventType) {
        String[] subscriptions = new String[COUNT];
        Arrays.fill(subscriptions, DispatcherRules.EVERY_EVENT);
        subscriptions[0] = eventType;
        int dot = eventType.indexOf('.');
        for (int i = 1; i < COUNT - 1 && dot >= 0; i++) {
            subscriptions[i] = eventType.substring(0, dot + 1) + DispatcherRules.EVERY_EVENT;
            dot = eventType.indexOf('.', dot + 1);
        }
        return List.of(subscriptions);
    }
}
