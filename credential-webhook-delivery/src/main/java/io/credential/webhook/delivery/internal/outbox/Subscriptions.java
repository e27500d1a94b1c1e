package io.credential.webhook.delivery.internal.outbox;

import java.util.Arrays;
import java.util.List;

import io.credential.webhook.delivery.internal.DispatcherRules;

/** Lists what an endpoint can subscribe to in order to receive the events of a type. */
final class Subscriptions {

    /** The type, a wildcard for each of its first eight dots, and all types. */
    private static final int COUNT = DispatcherRules.MAX_WILDCARD_DOTS + 2;

    private Subscriptions() {}

    /**
     * Returns the type first, then its wildcards, padded with {@code *} to a fixed length, so that the text and the plan of a
     * statement do not depend on the type.
     */
    static List<String> to(String eventType) {
        String[] subscriptions = new String[COUNT];
        Arrays.fill(subscriptions, DispatcherRules.WILDCARD);
        subscriptions[0] = eventType;
        int dot = eventType.indexOf('.');
        for (int i = 1; i < COUNT - 1 && dot >= 0; i++) {
            subscriptions[i] = eventType.substring(0, dot + 1) + DispatcherRules.WILDCARD;
            dot = eventType.indexOf('.', dot + 1);
        }
        return List.of(subscriptions);
    }
}
