package io.credential.webhook.delivery;

import java.util.List;
import java.util.TreeSet;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.event.InvoicePaid;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookOpenApi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Events whose type and JSON come from the catalogue. */
@BothDatabases
class TypedEventTests {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final WebhookEventCatalog catalog =
            WebhookEventCatalog.builder(JSON).add(InvoicePaid.class).build();

    @AutoClose
    private final DispatcherFixture fixture;

    private final WebhookDispatcher dispatcher;

    TypedEventTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test, builder -> builder.eventCatalog(catalog));
        this.dispatcher = fixture.dispatcher;
    }

    @Test
    void dispatchThenSendsTypeAndJson() {
        fixture.endpoint("shop", "/shop", "invoice.paid");

        DispatchResult result = dispatcher.dispatch(InvoicePaid.sample());

        assertThat(result.delivered()).isEqualTo(1);
        assertThat(fixture.receiver.hooks()).singleElement().satisfies(hook -> {
            assertThat(hook.body()).isEqualTo(JSON.writeValueAsString(InvoicePaid.sample()));
            assertThat(hook.header("X-Webhook-Event-Type")).isEqualTo("invoice.paid");
        });
    }

    @Test
    void enqueueThenIsOnlyStored() {
        fixture.endpoint("shop", "/shop", "invoice.paid");

        assertThat(dispatcher.enqueue(InvoicePaid.sample()).deliveries())
                .extracting(Delivery::eventType)
                .containsExactly("invoice.paid");
        assertThat(dispatcher.processRetries().delivered()).isEqualTo(1);
    }

    @Test
    void dispatchWhenTransactionRollsBackThenNothingIsSent() {
        fixture.endpoint("shop", "/shop", "invoice.paid");

        new TransactionTemplate(new JdbcTransactionManager(fixture.database().dataSource()))
                .executeWithoutResult(transaction -> {
                    dispatcher.dispatch(InvoicePaid.sample());
                    transaction.setRollbackOnly();
                });

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all())).isEmpty();
    }

    @Test
    void dispatchWhenKeyIsRepeatedThenReturnsTheFirst() {
        fixture.endpoint("shop", "/shop", "invoice.paid");
        DispatchOptions options = DispatchOptions.none().withIdempotencyKey("4711");

        DispatchResult first = dispatcher.dispatch(InvoicePaid.sample(), options);
        DispatchResult second = dispatcher.dispatch(InvoicePaid.sample(), options);

        assertThat(second.deliveries())
                .extracting(Delivery::deliveryId)
                .containsExactly(first.deliveries().get(0).deliveryId());
    }

    record Unknown() {}

    @Test
    void dispatchWhenTypeIsUnknownThenBadOpts() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch(new Unknown()))
                .withMessageContaining(Unknown.class.getName())
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    @SuppressWarnings("NullAway") // what the type forbids is what is tested
    void enqueueWhenJsonDoesNotMatchThenBadOpts() {
        InvoicePaid invoice =
                InvoicePaid.sample().paidBy(InvoicePaid.Method.CARD, new InvoicePaid.Customer(null, null));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.enqueue(invoice))
                .withMessageContaining("/customer/name is null")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    /** The document names what is really sent. */
    @Test
    void openApiThenNamesTheHeadersOfTheRequest() {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            String id = scheme.text();
            dispatcher.registerEndpoint(
                    EndpointRegistration.withGeneratedSecret(id, fixture.receiver.url("/" + id), List.of("*"))
                            .scheme(scheme));
        }
        dispatcher.dispatch(InvoicePaid.sample());

        TreeSet<String> sent = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        fixture.receiver.hooks().stream()
                .flatMap(hook -> hook.headers().keySet().stream())
                .filter(name -> name.matches("(?i).*(webhook-|signature).*"))
                .forEach(sent::add);
        assertThat(JSON.readTree(WebhookOpenApi.of(catalog).toJson())
                        .at("/components/parameters")
                        .propertyNames())
                .usingElementComparator(String.CASE_INSENSITIVE_ORDER)
                .containsExactlyInAnyOrderElementsOf(sent);
    }
}
