package io.credential.benchmarks;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** A dispatcher in this process, its endpoints, and a bare loop of posts to the same endpoints. */
public final class LocalDispatcher implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(10);

    /** The default of the starter. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private static final Duration RETENTION = Duration.ofDays(30);

    private final List<URI> urls;
    private final byte[] payload = new byte[NumberedPayload.BYTES];
    private final BarePosts bare;
    private final JdbcWebhookDispatcher dispatcher;
    private final OwnedSchedule polls;

    public LocalDispatcher(CredentialDatabase database, List<URI> urls) {
        this(database, urls, RETENTION);
    }

    /** @param notifications wake other nodes */
    public LocalDispatcher(CredentialDatabase database, List<URI> urls, NodeNotifications notifications) {
        this(database, urls, RETENTION, notifications);
    }

    /** @param retention how long successful deliveries are kept before {@link #removeExpired} removes them */
    public LocalDispatcher(CredentialDatabase database, List<URI> urls, Duration retention) {
        this(database, urls, retention, NodeNotifications.none());
    }

    private LocalDispatcher(
            CredentialDatabase database, List<URI> urls, Duration retention, NodeNotifications notifications) {
        this.urls = urls;
        this.bare = new BarePosts(urls);
        SecureRandom random = new SecureRandom();
        this.dispatcher = JdbcWebhookDispatcher.builder(database, Keyring.generate(random))
                .random(random)
                .destinationPolicy(BarePosts.policy())
                .transport(bare.transport())
                .retention(retention)
                .notifications(notifications)
                .maxInFlight(BarePosts.IN_FLIGHT)
                .maxInFlightPerEndpoint(BarePosts.IN_FLIGHT / urls.size())
                .build();
        this.polls = new OwnedSchedule("benchmark-poll", GRACE, dispatcher::poll);
        dispatcher.declareSchema();
        for (int i = 0; i < urls.size(); i++) {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "endpoint-" + i, urls.get(i).toString(), "a secret of the benchmark", eventType(i)));
        }
    }

    public BarePosts bare() {
        return bare;
    }

    public void start() {
        dispatcher.start();
        polls.start(POLL_INTERVAL, POLL_INTERVAL);
    }

    public void stop() {
        polls.stop();
        dispatcher.stop(GRACE);
    }

    public void dispatch(int number) {
        dispatcher.dispatch(eventType(number), payload);
    }

    public void enqueue(int number) {
        dispatcher.enqueue(eventType(number), payload);
    }

    /** For endpoints that count what arrives. */
    public void enqueue(NumberedPayload numbered) {
        dispatcher.enqueue(eventType(numbered.number()), numbered.bytes());
    }

    public DeliveryPage search(DeliveryQuery query) {
        return dispatcher.deliveries().search(query);
    }

    public void removeExpired() {
        dispatcher.removeExpired();
    }

    /** The events go to the endpoints in turn, each to one. */
    private String eventType(int number) {
        return "event-" + number % urls.size();
    }

    @Override
    public void close() {
        polls.stop();
        dispatcher.close();
        bare.close();
    }
}
