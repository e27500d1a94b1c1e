package io.credential.webhook.delivery.fault;

import java.io.IOException;
import java.util.function.UnaryOperator;

import io.credential.webhook.delivery.DispatcherNode;

/** A node that dispatches one event. Arguments as of other nodes, {@code payloadBytes} among them. */
final class DispatchingNode {

    private DispatchingNode() {}

    public static void main(String[] arguments) throws IOException {
        int bytes = Integer.parseInt(DispatcherNode.options(arguments).get("payloadBytes"));
        DispatcherNode.run(
                arguments, UnaryOperator.identity(), dispatcher -> dispatcher.dispatch("event", payload(bytes)));
    }

    /** A JSON string of so many bytes. */
    static String payload(int bytes) {
        return '"' + "x".repeat(bytes - 2) + '"';
    }
}
