package io.credential.benchmarks.scale;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.http.DestinationPolicy;

/** Gives each endpoint of the one receiver a host name, as the endpoints of customers have. */
final class Hosts {

    private static final String LOOPBACK = "127.0.0.1";

    /** No program listens there. */
    private static final int CLOSED_PORT = 1;

    private static final String EXPIRED = "expired.test";

    private Hosts() {}

    /** Lets a dispatcher send to these names. */
    static JdbcWebhookDispatcherBuilder known(JdbcWebhookDispatcherBuilder builder) {
        return known(builder, () -> false);
    }

    /** @param expired whether the name of {@link #expiringUrl} can no longer be resolved; it must be to register an endpoint */
    static JdbcWebhookDispatcherBuilder known(JdbcWebhookDispatcherBuilder builder, BooleanSupplier expired) {
        return builder.destinationPolicy(DestinationPolicy.builder()
                        .allowInternalDestinations(true)
                        .build())
                .hostResolver(host -> {
                    if (host.startsWith(EXPIRED) && expired.getAsBoolean()) {
                        throw new UnknownHostException(host);
                    }
                    return List.of(InetAddress.getAllByName(LOOPBACK));
                });
    }

    /** Returns the URL of a receiver at the name of an endpoint. */
    static URI named(int endpoint, URI url) {
        return URI.create(url.toString().replace(LOOPBACK, "endpoint-" + endpoint + ".test"));
    }

    static URI refusingUrl() {
        return URI.create("http://refusing.test:" + CLOSED_PORT + "/");
    }

    static URI expiringUrl() {
        return URI.create("http://" + EXPIRED + ":" + CLOSED_PORT + "/");
    }
}
