package io.credential.benchmarks;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.internal.HttpWebhookTransport;
import io.credential.webhook.signature.WebhookSigner;

/** The least that any dispatcher must do: vet, sign and send each webhook, with a fixed number in flight. */
public final class BarePosts implements AutoCloseable {

    public static final int IN_FLIGHT = 256;

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final HttpWebhookTransport transport;
    private final DestinationVetter destinations;
    private final WebhookSigner signer;
    private final List<URI> urls;
    private final byte[] payload = new byte[NumberedPayload.BYTES];

    public BarePosts(List<URI> urls) {
        this.urls = urls;
        this.transport = HttpWebhookTransport.builder().build();
        this.destinations = new DestinationVetter(policy(), HostResolver.system());
        this.signer = WebhookSigner.builder()
                .name("bare")
                .algorithm("hmac-sha3-512")
                .key("v1", "a secret of the benchmark")
                .random(new SecureRandom())
                .build();
    }

    public static DestinationPolicy policy() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }

    /** For a dispatcher in the same process, so that both send in the same way. */
    public WebhookTransport transport() {
        return transport;
    }

    /** Sends this many webhooks and returns the rate per second. */
    public double perSecond(int count) throws InterruptedException {
        Semaphore permits = new Semaphore(IN_FLIGHT);
        AtomicInteger failed = new AtomicInteger();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            permits.acquire();
            int number = i;
            CompletableFuture<Void> sent = destinations
                    .vet(urls.get(i % urls.size()), TIMEOUT)
                    .thenCompose(destination -> transport.send(request(number, destination)))
                    .handle((response, failure) -> {
                        if (failure != null || !response.successful()) {
                            failed.incrementAndGet();
                        }
                        permits.release();
                        return null;
                    });
            if (sent.isCompletedExceptionally()) {
                throw new IllegalStateException("A webhook was not sent");
            }
        }
        permits.acquire(IN_FLIGHT);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (failed.get() > 0) {
            throw new IllegalStateException(failed + " webhooks failed");
        }
        return count / seconds;
    }

    /** The same headers as those of a dispatcher. */
    private WebhookRequest request(int number, VettedDestination destination) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", "credential/benchmark");
        headers.put("X-Webhook-Delivery-Id", "%032x".formatted(number));
        headers.put("X-Webhook-Event-Id", "%032x".formatted(number));
        headers.put("X-Webhook-Event-Type", "event");
        headers.put("X-Webhook-Attempt", "1");
        headers.putAll(signer.sign(payload).headers());
        return new WebhookRequest(destination, headers, payload, TIMEOUT);
    }

    @Override
    public void close() {
        destinations.close();
        transport.close();
    }
}
