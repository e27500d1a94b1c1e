package io.credential.webhook.delivery;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An event reaches the endpoints of its moment, although a node remembers which ones the last event reached. */
@BothDatabases
class FanOutChangeTests extends DispatcherTestBase {

    private final JdbcWebhookDispatcher other = fixture.node(options -> options);

    FanOutChangeTests(TestDatabase test) {
        super(test);
    }

    @BeforeEach
    void remember() {
        fixture.endpoint("a", "/a", "e");
        assertThat(reached()).containsExactly("a");
    }

    @Test
    void enqueueWhenNothingChangedThenReachesTheSame() {
        assertThat(reached()).containsExactly("a");
        fixture.endpoint("b", "/b", "e");
        fixture.endpoint("c", "/c", "e");
        assertThat(reached()).containsExactly("a", "b", "c");
        assertThat(reached()).containsExactly("a", "b", "c");
    }

    @Test
    void enqueueWhenAddedElsewhereThenReachesIt() {
        other.registerEndpoint(registration("b", "/b"));

        assertThat(reached()).containsExactly("a", "b");
    }

    @Test
    void enqueueWhenSubscribedToAllThenReachesItOnce() {
        other.registerEndpoint(EndpointRegistration.of("a", url("/a"), DispatcherFixture.SECRET, "e", "*"));
        other.registerEndpoint(EndpointRegistration.of("all", url("/all"), DispatcherFixture.SECRET, "*"));

        assertThat(reached()).containsExactly("a", "all");
        assertThat(reached()).containsExactly("a", "all");
    }

    @Test
    void enqueueWhenRemovedElsewhereThenReachesNone() {
        other.removeEndpoint("a");

        assertThat(reached()).isEmpty();
    }

    @Test
    void enqueueWhenUnsubscribedThenReachesNone() {
        other.registerEndpoint(EndpointRegistration.of("a", url("/a"), DispatcherFixture.SECRET, "another"));

        assertThat(reached()).isEmpty();
    }

    @Test
    void dispatchWhenReplacedElsewhereThenSendsToNewUrl() {
        other.registerEndpoint(registration("a", "/new"));

        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);

        assertThat(fixture.receiver.hooks("/new")).hasSize(1);
        assertThat(fixture.receiver.hooks("/a")).isEmpty();
    }

    @Test
    void dispatchWhenReplacedTwiceThenSendsToTheLast() {
        fixture.database().inTransaction(() -> {
            dispatcher.registerEndpoint(registration("a", "/first"));
            dispatcher.enqueue("e", "{}"); // remembers a version that is never committed
            dispatcher.registerEndpoint(registration("a", "/second"));
            return null;
        });

        dispatcher.dispatch("e", "{}");

        assertThat(fixture.receiver.hooks("/second")).hasSize(1);
        assertThat(fixture.receiver.hooks("/first")).isEmpty();
    }

    @Test
    void dispatchWhenPausedElsewhereThenPending() {
        other.pauseEndpoint("a");

        assertThat(dispatcher.dispatch("e", "{}").deliveries())
                .singleElement()
                .extracting(Delivery::status)
                .isEqualTo(DeliveryStatus.PENDING);
        assertThat(dispatcher.dispatch("e", "{}").deliveries())
                .singleElement()
                .extracting(Delivery::status)
                .isEqualTo(DeliveryStatus.PENDING);
        assertThat(fixture.receiver.hooks("/a")).isEmpty();
    }

    @Test
    void enqueueWhenEndpointGetsAnAudienceThenRefused() {
        other.removeEndpoint("a");
        other.registerEndpoint(registration("a", "/a").audience("tenant"));

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> dispatcher.enqueue("e", "{}")).isInstanceOf(WebhookDispatcherException.class);
            assertThat(reached(DispatchOptions.none().withAudience("tenant"))).containsExactly("a");
            assertThat(reached(DispatchOptions.none().withAudience("nobody"))).isEmpty();
            assertThat(reached(DispatchOptions.none().toEveryAudience())).containsExactly("a");
        }
    }

    @Test
    void enqueueWhenChangeRollsBackThenReachesTheFormer() {
        assertThatThrownBy(() -> fixture.database().inTransaction(() -> {
                    dispatcher.registerEndpoint(registration("b", "/b"));
                    assertThat(reached()).containsExactly("a", "b");
                    assertThat(reached()).containsExactly("a", "b");
                    throw new IllegalStateException("rolls back");
                }))
                .hasMessage("rolls back");

        assertThat(reached()).containsExactly("a");
    }

    @Test
    void enqueueThenStoresTheAudienceOfTheEndpoint() {
        dispatcher.registerEndpoint(registration("b", "/b").audience("tenant"));

        for (int i = 0; i < 3; i++) {
            assertThat(reached(DispatchOptions.none().withAudience("tenant"))).containsExactly("b");
        }

        assertThat(count("audience = 'tenant'")).isEqualTo(3);
    }

    /** A roll-back to the savepoint would not be noticed. */
    @Test
    void enqueueWhenBelowSavepointThenNotReserved() {
        fixture.dispatcher.start();
        fixture.await(() -> fixture.receiver.hooks("/a").size() == 1); // it holds its lease
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(test.dataSource()));

        transaction.executeWithoutResult(status -> {
            Object savepoint = status.createSavepoint();
            String deliveryId =
                    dispatcher.enqueue("e", "{}").deliveries().get(0).deliveryId();
            assertThat(count("claim_owner IS NULL AND delivery_id = '" + deliveryId + "'"))
                    .isEqualTo(1);
            status.rollbackToSavepoint(savepoint);
        });
    }

    @Test
    void dispatchThenSendsEachPayload() {
        dispatcher.dispatch("e", "{\"number\":1}");
        dispatcher.dispatch("e", "{\"number\":2}");

        assertThat(fixture.receiver.hooks("/a"))
                .extracting(HookReceiver.Hook::body)
                .containsExactly("{\"number\":1}", "{\"number\":2}");
    }

    private EndpointRegistration registration(String endpointId, String path) {
        return EndpointRegistration.of(endpointId, url(path), DispatcherFixture.SECRET, "e");
    }

    private int count(String condition) {
        return fixture.database()
                .jdbc()
                .sql("SELECT count(*) FROM _credential_webhook_deliveries WHERE " + condition)
                .query(Integer.class)
                .single();
    }

    private String url(String path) {
        return fixture.receiver.url(path);
    }

    private List<String> reached() {
        return reached(DispatchOptions.none());
    }

    private List<String> reached(DispatchOptions options) {
        return dispatcher.enqueue("e", "{}", options).deliveries().stream()
                .map(Delivery::endpointId)
                .toList();
    }
}
