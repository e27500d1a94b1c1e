package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever two audiences call with whatever ids and cursors, neither sees or changes anything of the other. */
@BothDatabases
class AudienceIsolationTests extends DispatcherTestBase {

    private static final int CALLS = 150;

    private final WebhookDispatcher node;
    private final List<String> endpointIds = new ArrayList<>(List.of("unknown"));
    private final List<String> deliveryIds = new ArrayList<>(List.of("0".repeat(32)));
    private final List<String> cursors = new ArrayList<>();

    AudienceIsolationTests(TestDatabase test) {
        super(test);
        this.node = fixture.node(options ->
                options.transport(request -> CompletableFuture.completedFuture(new WebhookResponse(200, "", null))));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void callsThenNothingOfTheOtherIsSeenOrChanged(long seed) {
        Random random = new Random(seed);
        for (String audience : List.of("us", "them")) {
            for (int i = 0; i < 3; i++) {
                register(node.forAudience(audience), audience + "-first-" + i);
            }
        }
        int answered = 0;
        for (int i = 0; i < CALLS; i++) {
            boolean isOurs = random.nextBoolean();
            AudienceWebhooks caller = node.forAudience(isOurs ? "us" : "them");
            String other = isOurs ? "them" : "us";
            List<Map<String, Object>> before = rowsOf(other);

            String shown = outcome(call(caller, i, random));

            assertThat(rowsOf(other)).as("call %s of seed %s", i, seed).isEqualTo(before);
            assertThat(idsOf(other))
                    .as("call %s of seed %s", i, seed)
                    .noneMatch(id -> shown.contains(id + ",") || shown.contains(id + "]"));
            answered += shown.startsWith("webhook-dispatcher/") ? 0 : 1;
        }
        assertThat(answered).isBetween(CALLS / 4, CALLS - 1);
    }

    private Supplier<@Nullable Object> call(AudienceWebhooks view, int step, Random random) {
        String endpointId = any(endpointIds, random);
        String deliveryId = any(deliveryIds, random);
        String cursor = cursors.isEmpty() || random.nextInt(3) == 0 ? null : any(cursors, random);
        DeliveryQuery query = DeliveryQuery.all().withLimit(1 + random.nextInt(2));
        return switch (random.nextInt(15)) {
            case 0 -> () -> noted(view.listEndpoints(cursor, 1 + random.nextInt(2)));
            case 1 -> () -> view.getEndpoint(endpointId);
            case 2 -> () -> register(view, endpointId);
            case 3 -> () -> register(view, view.audience() + "-" + step);
            case 4 -> () -> view.rotateSecret(endpointId, SecretRotation.generated());
            case 5 -> () -> view.pauseEndpoint(endpointId);
            case 6 -> () -> view.resumeEndpoint(endpointId);
            case 7 -> () -> random.nextInt(4) == 0 && view.removeEndpoint(endpointId);
            case 8 -> () -> noted(view.sendTestEvent(endpointId));
            case 9 -> () -> noted(view.searchDeliveries(query, cursor));
            case 10 -> () -> noted(view.searchDeliveries(query.withEndpoint(endpointId), cursor));
            case 11 -> () -> view.getDelivery(deliveryId);
            case 12 -> () -> view.attempts(deliveryId);
            case 13 -> () -> view.retry(deliveryId);
            // The ids that were given are returned, whosever they are.
            default -> () -> view.retry(List.of(deliveryId)).get(0).outcome();
        };
    }

    private String outcome(Supplier<@Nullable Object> call) {
        try {
            return call.get() + "]";
        } catch (WebhookDispatcherException e) {
            return e.code();
        }
    }

    private Endpoint register(AudienceWebhooks view, String endpointId) {
        endpointIds.add(endpointId);
        return view.registerEndpoint(EndpointRegistration.of(
                endpointId, fixture.receiver.url("/" + view.audience()), DispatcherFixture.SECRET, "e"));
    }

    private Delivery noted(Delivery delivery) {
        deliveryIds.add(delivery.deliveryId());
        return delivery;
    }

    private DeliveryPage noted(DeliveryPage page) {
        note(page.nextCursor());
        return page;
    }

    private EndpointPage noted(EndpointPage page) {
        note(page.nextCursor());
        return page;
    }

    private void note(@Nullable String cursor) {
        if (cursor != null) {
            cursors.add(cursor);
        }
    }

    private static String any(List<String> texts, Random random) {
        return texts.get(random.nextInt(texts.size()));
    }

    private List<Map<String, Object>> rowsOf(String audience) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String table : List.of("{endpoints}", "{deliveries}")) {
            rows.addAll(fixture.rows
                    .sql("SELECT * FROM " + table + " WHERE audience = :audience ORDER BY 1")
                    .param("audience", audience)
                    .query()
                    .listOfRows());
        }
        return rows;
    }

    private List<String> idsOf(String audience) {
        List<String> ids =
                new ArrayList<>(fixture.rows.ids("endpoint_id", "{endpoints} WHERE audience = '" + audience + "'"));
        ids.addAll(fixture.rows.ids("delivery_id", "{deliveries} WHERE audience = '" + audience + "'"));
        return ids;
    }
}
