package io.credential.webhook.delivery.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/** A node that is gone as soon as it sends a certain payload. */
final class PoisonedNode {

    static final String POISON = "\"poison\"";

    private PoisonedNode() {}

    public static void main(String[] arguments) throws IOException {
        HttpWebhookTransport http = HttpWebhookTransport.builder().build();
        DispatcherNode.run(
                arguments,
                options -> options.transport(request -> {
                    if (new String(request.body(), StandardCharsets.UTF_8).equals(POISON)) {
                        Runtime.getRuntime().halt(1);
                    }
                    return http.send(request);
                }),
                dispatcher -> {});
    }
}
