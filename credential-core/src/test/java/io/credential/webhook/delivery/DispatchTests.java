package io.credential.webhook.delivery;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code dispatch} outside a transaction: every endpoint is attempted once. */
@BothDatabases
@Timeout(60)
class DispatchTests {

    @Parameter
    private TestDatabase test;

    private DispatcherFixture fixture;
    private WebhookDispatcher dispatcher;

    @BeforeEach
    void open() {
        fixture = new DispatcherFixture(test);
        dispatcher = fixture.dispatcher;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void everySubscribedEndpointGetsTheEventOnce() {
        fixture.endpoint("all", "/all", "*");
        fixture.endpoint("paid", "/paid", "invoice.paid", "*");
        fixture.endpoint("other", "/other", "invoice.sent");

        DispatchResult result = dispatcher.dispatch("invoice.paid", Map.of("amount", 5));

        assertThat(result.delivered()).isEqualTo(2);
        assertThat(result.failed()).isZero();
        assertThat(result.deliveries()).extracting(Delivery::endpointId).containsExactly("all", "paid");
        assertThat(result.deliveries()).allSatisfy(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.DELIVERED);
            assertThat(delivery.attempts()).isEqualTo(1);
            assertThat(delivery.responseStatus()).isEqualTo(200);
            assertThat(fixture.delivery(delivery.deliveryId())).isEqualTo(delivery);
        });
        assertThat(fixture.receiver.hooks()).hasSize(2);
    }
}
