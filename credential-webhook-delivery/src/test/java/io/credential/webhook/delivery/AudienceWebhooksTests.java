package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.http.FailureReason;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a page that is shown to one audience can see and do. */
@BothDatabases
class AudienceWebhooksTests extends DispatcherTestBase {

    private static final String UNKNOWN = "0".repeat(32);

    private final RecordedStatements recorded;
    private final AudienceWebhooks ours;
    private final AudienceWebhooks theirs;
    private String ourDelivery = "";
    private String theirDelivery = "";

    AudienceWebhooksTests(TestDatabase test) {
        super(test);
        this.recorded = new RecordedStatements(test.dataSource());
        WebhookDispatcher node = fixture.node(CredentialDatabase.of(recorded), options -> options);
        this.ours = node.forAudience("us");
        this.theirs = node.forAudience("them");
    }

    @BeforeEach
    void deliverToBoth() {
        endpoint("our-shop", "us");
        endpoint("their-shop", "them");
        endpoint("nobodys", null);
        ourDelivery = dispatched("us", "our-key");
        theirDelivery = dispatched("them", "their-key");
        ours.sendTestEvent("our-shop"); // the first one also acquires the node's lease
    }

    @Test
    void listEndpointsThenOnlyOurs() {
        endpoint("our-second", "us");

        EndpointPage first = ours.listEndpoints(null, 1);
        EndpointPage second = ours.listEndpoints(first.nextCursor(), 1);

        assertThat(first.endpoints()).extracting(Endpoint::endpointId).containsExactly("our-second");
        assertThat(second.endpoints()).extracting(Endpoint::endpointId).containsExactly("our-shop");
        assertThat(second.nextCursor()).isNull();
        assertThat(first.nextCursor()).doesNotContain("our");
    }

    @Test
    void changesOfOurEndpointThenTakeEffect() {
        assertThat(ours.pauseEndpoint("our-shop")).isTrue();
        assertThat(ours.getEndpoint("our-shop").orElseThrow().pauseReason()).isEqualTo(PauseReason.MANUAL);
        assertThat(ours.resumeEndpoint("our-shop")).isTrue();
        assertThat(ours.getEndpoint("our-shop").orElseThrow().pausedAt()).isNull();
        assertThat(ours.rotateSecret("our-shop", SecretRotation.generated()).secret())
                .isNotNull();
        assertThat(ours.sendTestEvent("our-shop").status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(ours.removeEndpoint("our-shop")).isTrue();
        assertThat(dispatcher.getEndpoint("our-shop")).isEmpty();
    }

    @Test
    void registerThenTheAudienceIsOurs() {
        Endpoint registered = ours.registerEndpoint(registration("our-new").audience("them"));

        assertThat(registered.audience()).isEqualTo("us");
        assertThat(dispatcher.getEndpoint("our-new").orElseThrow().audience()).isEqualTo("us");
    }

    @Test
    void registerWhenIdIsTheirsThenConflictSaysNotWhose() {
        for (String id : List.of("their-shop", "nobodys")) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> ours.registerEndpoint(registration(id)))
                    .withMessage("The endpoint " + id
                            + " is registered for another audience. Choose another id, or remove it first")
                    .returns("webhook-dispatcher/endpoint-conflict", WebhookDispatcherException::code);
        }
    }

    /** An operation on an endpoint or a delivery. */
    record Operation(String name, BiFunction<AudienceWebhooks, String, @Nullable Object> call) {

        @Nullable Object apply(AudienceWebhooks view, String id) {
            return call.apply(view, id);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Operation> endpointOperations() {
        return List.of(
                new Operation("get", AudienceWebhooks::getEndpoint),
                new Operation("rotate", (view, id) -> view.rotateSecret(id, SecretRotation.generated())),
                new Operation("pause", AudienceWebhooks::pauseEndpoint),
                new Operation("resume", AudienceWebhooks::resumeEndpoint),
                new Operation("remove", AudienceWebhooks::removeEndpoint),
                new Operation("test", AudienceWebhooks::sendTestEvent),
                new Operation(
                        "search",
                        (view, id) -> view.searchDeliveries(DeliveryQuery.all().withEndpoint(id), null)));
    }

    @ParameterizedTest
    @MethodSource("endpointOperations")
    void endpointWhenNotOursThenLikeAnUnknownOne(Operation operation) {
        List<Endpoint> before = dispatcher.listEndpoints();

        Answer unknown = answer(() -> operation.apply(ours, "unknown"));

        assertThat(answer(() -> operation.apply(ours, "their-shop"))).isEqualTo(unknown);
        assertThat(answer(() -> operation.apply(ours, "nobodys"))).isEqualTo(unknown);
        assertThat(unknown.statements()).isNotEmpty();
        assertThat(dispatcher.listEndpoints()).isEqualTo(before);
        assertThat(fixture.receiver.hooks("/their-shop")).hasSize(1);
    }

    static List<Operation> deliveryOperations() {
        return List.of(
                new Operation("get", AudienceWebhooks::getDelivery),
                new Operation("attempts", AudienceWebhooks::attempts),
                new Operation("retry", (view, id) -> view.retry(id)),
                new Operation(
                        "retry of several",
                        (view, id) -> view.retry(List.of(id)).get(0).outcome()));
    }

    @ParameterizedTest
    @MethodSource("deliveryOperations")
    void deliveryWhenNotOursThenLikeAnUnknownOne(Operation operation) {
        String ofNobody = fixture.rows.delivery("nobodys", DeliveryStatus.DEAD);
        Delivery before = fixture.delivery(theirDelivery);

        Answer unknown = answer(() -> operation.apply(ours, UNKNOWN));

        assertThat(answer(() -> operation.apply(ours, theirDelivery))).isEqualTo(unknown);
        assertThat(answer(() -> operation.apply(ours, ofNobody))).isEqualTo(unknown);
        assertThat(answer(() -> operation.apply(ours, ourDelivery))).isNotEqualTo(unknown);
        assertThat(fixture.delivery(theirDelivery)).isEqualTo(before);
    }

    @Test
    void searchWhenEventIsTheirsThenLikeAnUnknownOne() {
        DeliveryQuery all = DeliveryQuery.all();
        String theirEvent = fixture.delivery(theirDelivery).eventId();

        assertThat(answer(() -> ours.searchDeliveries(all.withEvent(theirEvent), null)))
                .isEqualTo(answer(() -> ours.searchDeliveries(all.withEvent(UNKNOWN), null)));
        assertThat(answer(() -> ours.searchDeliveries(all.withIdempotencyKey("their-key"), null)))
                .isEqualTo(answer(() -> ours.searchDeliveries(all.withIdempotencyKey("unknown"), null)));
        assertThat(ours.searchDeliveries(all.withIdempotencyKey("our-key"), null)
                        .deliveries())
                .extracting(Delivery::deliveryId)
                .containsExactly(ourDelivery);
    }

    @Test
    void searchWhenTheirsExceedAPageThenNoCursor() {
        String theirEvent = fixture.rows.event(DispatcherRows.NEW_YEAR);
        fixture.rows
                .sql("""
                        WITH RECURSIVE n (i) AS (SELECT 10000000 UNION ALL SELECT i + 1 FROM n WHERE i < 10005000)
                        INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts,
                            next_attempt_at, dead_at, created_at)
                        SELECT :prefix || i, :eventId, 'their-shop', 'them', 'dead', 1, 1, 1, 1
                        FROM n""")
                .param("prefix", theirEvent.substring(0, 24))
                .param("eventId", theirEvent)
                .update();
        DeliveryQuery dead = DeliveryQuery.all().withResponseStatus(500);

        assertThat(ours.searchDeliveries(dead.withEndpoint("their-shop"), null).nextCursor())
                .isNull();
        assertThat(ours.searchDeliveries(dead.withEvent(theirEvent), null).nextCursor())
                .isNull();
        assertThat(ours.searchDeliveries(dead, null).nextCursor()).isNotNull();
    }

    @Test
    void searchThenOnlyOursInSealedPages() {
        String second = dispatched("us", "second");
        DeliveryQuery query = DeliveryQuery.all().withEventType("e").withLimit(1);

        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            DeliveryPage page = ours.searchDeliveries(query, cursor);
            page.deliveries().forEach(delivery -> found.add(delivery.deliveryId()));
            cursor = page.nextCursor();
            assertThat(cursor == null || !cursor.matches(".*[0-9a-f]{32}.*")).isTrue();
        } while (cursor != null);

        assertThat(found).containsExactlyInAnyOrder(second, ourDelivery);
    }

    @Test
    void cursorWhenNotOfSuchAPageThenRefused() {
        endpoint("our-second", "us");
        endpoint("their-second", "them");
        dispatched("them", "second");
        DeliveryQuery one = DeliveryQuery.all().withLimit(1);
        String ofOurEndpoints = requireNonNull(ours.listEndpoints(null, 1).nextCursor());
        String ofOurDeliveries = requireNonNull(ours.searchDeliveries(one, null).nextCursor());
        String ofTheirEndpoints = requireNonNull(theirs.listEndpoints(null, 1).nextCursor());
        String ofTheirDeliveries =
                requireNonNull(theirs.searchDeliveries(one, null).nextCursor());

        for (String cursor : List.of(
                ofTheirDeliveries, ofOurEndpoints, altered(ofOurDeliveries), ourDelivery, "", "x".repeat(100_000))) {
            assertBadCursor(() -> ours.searchDeliveries(DeliveryQuery.all(), cursor));
        }
        for (String cursor : List.of(
                ofTheirEndpoints, ofOurDeliveries, altered(ofOurEndpoints), "our-shop", "", "x".repeat(100_000))) {
            assertBadCursor(() -> ours.listEndpoints(cursor, 10));
        }
        assertThat(ours.listEndpoints(ofOurEndpoints, 10).endpoints()).hasSize(1);
    }

    @Test
    void searchWhenQueryIsNotForAudiencesThenRefused() {
        DeliveryQuery all = DeliveryQuery.all();
        for (DeliveryQuery query :
                List.of(all.withAudience("them"), all.withReason(FailureReason.DNS_FAILED), all.after(ourDelivery))) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> ours.searchDeliveries(query, null))
                    .withMessageContaining("query must have neither")
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
    }

    @Test
    void failureThenShownWithoutReasonAndLocation() {
        fixture.receiver.answering("/our-shop", 500);
        Delivery failed = ours.retry(ourDelivery);
        fixture.rows
                .sql("UPDATE {attempts} SET location = 'https://inside.example/'")
                .update();

        assertThat(fixture.delivery(ourDelivery).lastReason()).isEqualTo(FailureReason.HTTP_STATUS);
        for (Delivery shown : List.of(
                failed,
                ours.getDelivery(ourDelivery).orElseThrow(),
                ours.searchDeliveries(DeliveryQuery.all().withEventType("e"), null)
                        .deliveries()
                        .get(0),
                ours.sendTestEvent("our-shop"))) {
            assertThat(shown.lastReason()).isNull();
            assertThat(shown.lastError()).isNotNull();
        }
        assertThat(ours.attempts(ourDelivery)).hasSize(2).allSatisfy(attempt -> {
            assertThat(attempt.reason()).isNull();
            assertThat(attempt.location()).isNull();
        });
        assertThat(ours.attempts(ourDelivery))
                .extracting(DeliveryAttempt::error)
                .anyMatch(Objects::nonNull);
    }

    @Test
    void forAudienceWhenOutOfRangeThenRefused() {
        for (String audience : List.of("", "*", "no name")) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> dispatcher.forAudience(audience))
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
        assertThat(ours.audience()).isEqualTo("us");
    }

    private record Answer(String result, List<String> statements) {}

    /** What a call returns or throws, and the statements that it executes. */
    private Answer answer(Supplier<@Nullable Object> call) {
        recorded.clear();
        String result;
        try {
            result = String.valueOf(call.get());
        } catch (WebhookDispatcherException e) {
            result = e.code() + " " + e.getMessage();
        }
        return new Answer(result, List.copyOf(recorded.statements()));
    }

    private static void assertBadCursor(Supplier<?> call) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(call::get)
                .withMessageContaining("cursor must be the nextCursor of a page")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private static String altered(String cursor) {
        int middle = cursor.length() - 10;
        char other = cursor.charAt(middle) == 'A' ? 'B' : 'A';
        return cursor.substring(0, middle) + other + cursor.substring(middle + 1);
    }

    private void endpoint(String id, @Nullable String audience) {
        dispatcher.registerEndpoint(registration(id).audience(audience));
    }

    private EndpointRegistration registration(String id) {
        return EndpointRegistration.of(id, fixture.receiver.url("/" + id), DispatcherFixture.SECRET, "e");
    }

    private String dispatched(String audience, String key) {
        return Optional.of(dispatcher.dispatch(
                        "e", "{}", DispatchOptions.none().withAudience(audience).withIdempotencyKey(key)))
                .map(result -> result.deliveries().get(0).deliveryId())
                .orElseThrow();
    }
}
