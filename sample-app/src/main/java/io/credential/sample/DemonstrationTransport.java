package io.credential.sample;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/**
 * Sends webhooks for the host of the demonstration to this server, whatever its port, and all others as usual. The host has
 * an address that nobody can have, so that no internal destination has to be allowed; only the paths of the demonstration
 * are reached over it.
 */
final class DemonstrationTransport implements WebhookTransport, HostResolver, AutoCloseable {

    /** RFC 6761 reserves the name. */
    private static final String HOST = "this-server.test";

    /** RFC 6666: what is sent there is discarded. {@code allowed-cidrs} of application.yml contains it. */
    private static final InetAddress ADDRESS = address("100::1");

    private final HttpWebhookTransport http = HttpWebhookTransport.builder().build();
    private final DestinationPolicy thisServer =
            DestinationPolicy.builder().allowInternalDestinations(true).build();
    private final Environment environment;

    DemonstrationTransport(Environment environment) {
        this.environment = environment;
    }

    /** @param path of {@link DemonstrationReceivers} */
    static String url(String path) {
        return "http://" + HOST + path;
    }

    @Override
    public List<InetAddress> resolve(String host) throws UnknownHostException {
        return host.equals(HOST) ? List.of(ADDRESS) : HostResolver.system().resolve(host);
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        VettedDestination destination = request.destination();
        if (!destination.addresses().contains(ADDRESS)) {
            return http.send(request);
        }
        String path = destination.uri().getPath();
        if (!destination.scheme().equals("http") || !DemonstrationReceivers.PATHS.contains(path)) {
            return failed(Failure.CONNECT, "The demonstration has no receiver at this URL");
        }
        @Nullable Integer port = environment.getProperty("local.server.port", Integer.class);
        if (port == null) { // attempted again in a second
            return failed(Failure.CLOSED, "This server has not started");
        }
        return http.send(
                new WebhookRequest(receiver(port, path), request.headers(), request.body(), request.timeout()));
    }

    private VettedDestination receiver(int port, String path) {
        InetAddress bound = environment.getProperty("server.address", InetAddress.class);
        InetAddress address = bound == null || bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
        String contextPath = environment.getProperty("server.servlet.context-path", "");
        return thisServer.vet(URI.create("http://localhost:" + port + contextPath + path), name -> List.of(address));
    }

    private static CompletableFuture<WebhookResponse> failed(Failure failure, String message) {
        return CompletableFuture.failedFuture(new WebhookTransportException(failure, message));
    }

    @Override
    public void close() {
        http.close();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
