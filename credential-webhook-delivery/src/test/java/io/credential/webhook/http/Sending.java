package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;

/** What the tests of the transport share. */
public final class Sending {

    public static final DestinationPolicy LOOPBACK =
            DestinationPolicy.builder().allowInternalDestinations(true).build();

    public static final Duration LONG = Patience.LIMIT;

    private Sending() {}

    /** Waits without a limit, as a resolver does whose servers do not answer. */
    public static void hang(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static VettedDestination to(String url, String... addresses) {
        List<InetAddress> answer = Stream.of(addresses).map(Sending::address).toList();
        return LOOPBACK.vet(URI.create(url), host -> answer);
    }

    public static VettedDestination to(RawReceiver receiver) {
        return to("http://hooks.example.com:" + receiver.port() + "/hook", "127.0.0.1");
    }

    public static WebhookRequest request(VettedDestination destination, Duration timeout) {
        return new WebhookRequest(
                destination,
                Map.of("Content-Type", "application/json"),
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                timeout);
    }

    public static WebhookResponse send(WebhookTransport transport, VettedDestination destination) {
        return Patience.join(transport.send(request(destination, LONG)));
    }

    public static WebhookTransportException failure(CompletableFuture<WebhookResponse> response) {
        try {
            WebhookResponse unexpected = Patience.get(response);
            throw new AssertionError("answered " + unexpected);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WebhookTransportException failure) {
                return failure;
            }
            throw new AssertionError(e);
        }
    }

    public static void assertFailure(CompletableFuture<WebhookResponse> response, Failure expected) {
        WebhookTransportException failure = failure(response);
        assertThat(failure.failure()).as("%s", failure.getCause()).isEqualTo(expected);
    }

    public static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
