package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.BrokenHandler;
import io.credential.testing.Patience;
import io.credential.testing.RecordedObservations;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Observations of an event from the dispatch to the stored outcome. */
@BothDatabases
class DispatchObservationTests {

    private static final String ATTEMPT = "credential.webhook.attempt";
    private static final String REQUEST = "credential.webhook.request";

    private final RecordedObservations observations = new RecordedObservations();

    @AutoClose
    private final DispatcherFixture fixture;

    private final JdbcWebhookDispatcher dispatcher;

    DispatchObservationTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test, builder -> builder.observationRegistry(observations.registry()));
        this.dispatcher = fixture.dispatcher;
    }

    @Test
    void dispatchThenObservedFromTheCallToTheStoredOutcome() {
        fixture.endpoint("shop", "/shop");

        dispatcher.dispatch("order.paid", "{}");

        assertThat(observations.tags("credential.webhook.dispatch"))
                .containsExactly(Map.of("operation", "dispatch", "outcome", "stored", "reason", "none"));
        assertThat(observations.tags(REQUEST)).containsExactly(Map.of("outcome", "answered", "status", "2xx"));
        assertThat(observations.tags(ATTEMPT))
                .containsExactly(Map.of("outcome", "delivered", "reason", "none", "status", "2xx"));
        assertThat(observations.tags("credential.webhook.settle")).containsExactly(Map.of("outcome", "stored"));
        assertThat(observations.running()).isZero();
    }

    @Test
    void dispatchWhenRejectedThenItsCode() {
        assertThatExceptionOfType(WebhookDispatcherException.class).isThrownBy(() -> dispatcher.enqueue("", "{}"));

        assertThat(observations.tags("credential.webhook.dispatch"))
                .containsExactly(
                        Map.of("operation", "enqueue", "outcome", "rejected", "reason", "webhook-dispatcher/bad-opts"));
    }

    @Test
    void attemptWhenItFailsThenAStableReason() {
        fixture.receiver.answering("/down", 503);
        fixture.endpoint("down", "/down");
        dispatcher.registerEndpoint(
                EndpointRegistration.of("closed", "http://127.0.0.1:1/closed", DispatcherFixture.SECRET, "*"));

        dispatcher.dispatch("order.paid", "{}");

        assertThat(observations.tags(ATTEMPT))
                .containsExactlyInAnyOrder(
                        Map.of("outcome", "failed", "reason", "http-status", "status", "5xx"),
                        Map.of("outcome", "failed", "reason", "refused", "status", "none"));
        assertThat(observations.tags(REQUEST))
                .containsExactlyInAnyOrder(
                        Map.of("outcome", "answered", "status", "5xx"), Map.of("outcome", "failed", "status", "none"));
        assertThat(observations.running()).isZero();
    }

    @Test
    void attemptWhenItWasTheLastThenDead() {
        JdbcWebhookDispatcher impatient =
                fixture.node(options -> options.maxAttempts(1).observationRegistry(observations.registry()));
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");

        impatient.dispatch("order.paid", "{}");

        assertThat(observations.tags(ATTEMPT))
                .containsExactly(Map.of("outcome", "dead", "reason", "http-status", "status", "5xx"));
    }

    @Test
    void processRetriesThenARoundOfACall() {
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        dispatcher.dispatch("order.paid", "{}");
        fixture.clock.advance(Duration.ofSeconds(5));

        dispatcher.processRetries();

        assertThat(observations.tags("credential.webhook.retry-round"))
                .containsExactly(Map.of("trigger", "call", "outcome", "success"));
        assertThat(observations.tags(ATTEMPT))
                .extracting(tags -> tags.get("outcome"))
                .containsExactly("failed", "delivered");
    }

    @Test
    void backgroundWhenSomethingIsDueThenARound() {
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        dispatcher.dispatch("order.paid", "{}");
        assertThat(observations.tags("credential.webhook.retry-round")).isEmpty();

        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.start();

        Patience.until(() -> observations.tags("credential.webhook.retry-round").stream()
                .anyMatch(Map.of("trigger", "background", "outcome", "success")::equals));
    }

    @Test
    void observationsThenNoTagHasAnIdOrAUrl() {
        fixture.endpoint("shop", "/shop");

        String deliveryId =
                dispatcher.dispatch("order.paid", "{}").deliveries().get(0).deliveryId();

        assertThat(List.of(ATTEMPT, REQUEST, "credential.webhook.dispatch", "credential.webhook.settle"))
                .flatExtracting(observations::tags)
                .flatExtracting(Map::values)
                .doesNotContain("shop", deliveryId, "order.paid")
                .noneMatch(value -> value.contains("127.0.0.1"));
        assertThat(observations.values())
                .contains("shop", deliveryId, "order.paid")
                .noneMatch(value -> value.contains("http:") || value.contains(DispatcherFixture.SECRET));
    }

    @Test
    void errorsThenNeitherUrlNorCause() {
        dispatcher.registerEndpoint(EndpointRegistration.of(
                "closed", "http://127.0.0.1:1/closed?capability", DispatcherFixture.SECRET, "*"));

        dispatcher.dispatch("order.paid", "{}");

        assertThat(observations.errors()).hasSize(2).allSatisfy(error -> {
            assertThat(error).hasNoCause().hasMessage("io.credential.webhook.http.WebhookTransportException");
            assertThat(error.getStackTrace()).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void attemptWhenAHandlerFailsThenCountedOnce(BrokenHandler.Moment moment) {
        observations.registry().observationConfig().observationHandler(new BrokenHandler(moment));
        fixture.endpoint("shop", "/shop");
        dispatcher.registerEndpoint(
                EndpointRegistration.of("closed", "http://127.0.0.1:1/closed", DispatcherFixture.SECRET, "*"));

        DispatchResult result = dispatcher.dispatch("order.paid", "{}");

        assertThat(result.delivered()).isOne();
        assertThat(result.deliveries())
                .hasSize(2)
                .allSatisfy(delivery -> assertThat(delivery.attempts()).isOne());
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void backgroundWhenTheDatabaseFailsThenARoundWithError() {
        rename("_credential_webhook_deliveries", "gone");
        try {
            dispatcher.start();

            Patience.until(() -> observations.tags("credential.webhook.retry-round").stream()
                    .anyMatch(Map.of("trigger", "background", "outcome", "error")::equals));
        } finally {
            dispatcher.stop(Duration.ZERO);
            rename("gone", "_credential_webhook_deliveries");
        }
    }

    private void rename(String from, String to) {
        fixture.rows.sql("ALTER TABLE " + from + " RENAME TO " + to).update();
    }
}
