package io.credential.spring.console.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.testing.MutableClock;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Lets the libraries store what the console shows: healthy, failing and paused endpoints, deliveries in every state, API keys,
 * and hostile text wherever they accept it.
 */
final class ConsoleData {

    private static final String HOSTILE_PATH = "/is-hostile?back=" + HostileText.SCRIPT_URL + "&quote='-hostile()-'";

    private final WebhookDispatcher dispatcher;
    private final WebhookReceiver receiver;
    private final MutableClock clock;
    private final Map<String, String> ids = new HashMap<>();
    private final String apiKey;

    ConsoleData(WebhookDispatcher dispatcher, ApiKeyRegistry registry, WebhookReceiver receiver, MutableClock clock) {
        this.dispatcher = dispatcher;
        this.receiver = receiver;
        this.clock = clock;
        register("shop-7", "/accepts", "Shop 7");
        register("erp", "/fails", "Accounting");
        register("archive", "/accepts", "Archive");
        dispatcher.pauseEndpoint("archive");
        ids.put("delivered", send("shop-7", "order.created"));
        ids.put("dead", send("erp", "invoice.paid"));
        ids.put("held", send("archive", "order.created"));
        ids.put("hostile", sendToAttacker());
        ids.put("endpoint", "attacker");
        ids.put(
                "job",
                dispatcher
                        .deliveries()
                        .retryAll(DeliveryQuery.all().withEventType("never.sent"))
                        .id());
        IssuedApiKey key = registry.issue(IssueRequest.forOwner(HostileText.NAME)
                .name(HostileText.NAME)
                .scopes("orders:read", HostileText.SCRIPT)
                .metadata(Map.of(HostileText.SCRIPT, HostileText.ALL)));
        ids.put("key", key.id());
        apiKey = key.key();
        ((JdbcWebhookDispatcher) dispatcher).flushStatistics(); // which is done only every few seconds
    }

    /** Returns the path with the ids of what was stored in place of {@code {delivered}} and the like. */
    String fill(String path) {
        String filled = path;
        for (Map.Entry<String, String> id : ids.entrySet()) {
            filled = filled.replace("{" + id.getKey() + "}", id.getValue());
        }
        return filled;
    }

    /** Returns a token that the application accepts. */
    String apiKey() {
        return apiKey;
    }

    /** Registers an endpoint, or replaces it. */
    void register(String endpoint, String path, String name) {
        dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret(endpoint, receiver.url(path), List.of("*"))
                .audience(endpoint)
                .name(name)
                .metadata(Map.of("note", name)));
    }

    /** Dispatches an event to this endpoint alone, a minute after what was before, and returns the id of the delivery. */
    String send(String endpoint, String eventType) {
        clock.advance(Duration.ofMinutes(1));
        return dispatcher
                .dispatch(eventType, Map.of("total", 42), DispatchOptions.none().withAudience(endpoint))
                .deliveries()
                .get(0)
                .deliveryId();
    }

    /** Returns the delivery as it is now. */
    Delivery delivery(String id) {
        return dispatcher.deliveries().get(id).orElseThrow();
    }

    /** Returns the deliveries that match, the newest first. */
    List<Delivery> deliveries(DeliveryQuery query) {
        return dispatcher
                .deliveries()
                .search(query.withLimit(DeliveryQuery.MAX_LIMIT))
                .deliveries();
    }

    /** Returns since when all attempts to send to an endpoint have failed. */
    Instant failingSince(String endpoint) {
        return Objects.requireNonNull(
                dispatcher.statistics().ofEndpoint(endpoint).failingSince());
    }

    /** Returns how often a delivery was attempted, also before retries. */
    int attempts(String id) {
        return dispatcher.deliveries().attempts(id).size();
    }

    private String sendToAttacker() {
        register("attacker", HOSTILE_PATH, HostileText.NAME);
        String delivery = send("attacker", "order.created");
        register("attacker", "/redirects", HostileText.NAME);
        dispatcher.deliveries().retry(delivery);
        register("attacker", HOSTILE_PATH, HostileText.NAME);
        return delivery;
    }
}
