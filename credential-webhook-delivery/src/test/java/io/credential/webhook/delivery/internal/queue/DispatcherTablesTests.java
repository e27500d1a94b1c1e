package io.credential.webhook.delivery.internal.queue;

import java.security.SecureRandom;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.seal.internal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class DispatcherTablesTests {

    private final TestDatabase test;

    DispatcherTablesTests(TestDatabase test) {
        this.test = test;
    }

    @Test
    void defaultNamesThenAreThoseOfTheFramework() {
        assertThat(DispatcherRows.DEFAULT_TABLES)
                .isEqualTo(new DispatcherTables(
                        "_credential_webhook_endpoints",
                        "_credential_webhook_subscriptions",
                        "_credential_webhook_deliveries",
                        "_credential_webhook_events",
                        "_credential_webhook_attempts",
                        "_credential_webhook_jobs",
                        "_credential_webhook_job_items",
                        "_credential_webhook_hourly_counts",
                        "_credential_webhook_last_outcomes",
                        "_credential_webhook_schema_history"));
    }

    @Test
    void namedThenDerivesTheOtherTables() {
        assertThat(DispatcherTables.named("Shop_hooks", "shop_deliveries"))
                .isEqualTo(new DispatcherTables(
                        "Shop_hooks",
                        "Shop_hooks_subscriptions",
                        "shop_deliveries",
                        "shop_events",
                        "shop_attempts",
                        "shop_jobs",
                        "shop_job_items",
                        "shop_hourly_counts",
                        "shop_last_outcomes",
                        "shop_schema_history"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a b", "a\"b", "a.b", "ä", "a;--"})
    void namedWhenNameIsInvalidThenRefused(String name) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> DispatcherTables.named(name, "deliveries"))
                .withMessageContaining("endpointsTable")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> DispatcherTables.named("endpoints", name))
                .withMessageContaining("deliveriesTable");
    }

    @ParameterizedTest
    @CsvSource({"same, same", "same, SAME"})
    void namedWhenBothAreTheSameThenRefused(String endpoints, String deliveries) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> DispatcherTables.named(endpoints, deliveries))
                .withMessageContaining("different tables");
    }

    @Test
    void namedWhenOver63CharactersThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> DispatcherTables.named("e".repeat(64), "deliveries"));
    }

    @Test
    void namedWhen63CharactersThenWorks() {
        DispatcherTables tables = DispatcherTables.named("e".repeat(63), "d".repeat(63));
        assertThat(Stream.of(
                        tables.subscriptions(),
                        tables.events(),
                        tables.attempts(),
                        tables.jobs(),
                        tables.jobItems(),
                        tables.hourlyCounts(),
                        tables.lastOutcomes(),
                        tables.history()))
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(63));

        DispatcherRows rows = new DispatcherRows(test, tables);
        String id = rows.delivery("shop", DeliveryStatus.PENDING);

        assertThat(rows.stored(id, "status")).isEqualTo("pending");
    }

    @Test
    void namedWhenLongNamesEndDifferentlyThenShareNoTable() {
        DispatcherTables one = DispatcherTables.named("e".repeat(63), "d".repeat(62) + "1");
        DispatcherTables two = DispatcherTables.named("f".repeat(63), "d".repeat(62) + "2");

        assertThat(Stream.of(one, two)
                        .flatMap(t -> Stream.of(
                                t.events(),
                                t.attempts(),
                                t.jobs(),
                                t.jobItems(),
                                t.hourlyCounts(),
                                t.lastOutcomes(),
                                t.history())))
                .doesNotHaveDuplicates();
    }

    @Test
    void dispatchersWhenTablesDifferThenStayApart() {
        DispatcherRows ours = new DispatcherRows(test);
        DispatcherRows theirs = new DispatcherRows(test, DispatcherTables.named("their_endpoints", "their_deliveries"));
        try (JdbcWebhookDispatcher our = dispatcher(ours);
                JdbcWebhookDispatcher their = dispatcher(theirs)) {
            EndpointRegistration registration =
                    EndpointRegistration.of("shop", "https://93.184.215.14/", "a secret of some length", "*");
            our.registerEndpoint(registration);
            their.registerEndpoint(registration);
            String ourDelivery = ours.delivery("shop", DeliveryStatus.PENDING);
            String theirDelivery = theirs.delivery("shop", DeliveryStatus.PENDING);

            our.removeEndpoint("shop");

            assertThat(their.listEndpoints()).hasSize(1);
            assertThat(ours.stored(ourDelivery, "status")).isEqualTo("dead");
            assertThat(theirs.stored(theirDelivery, "status")).isEqualTo("pending");
            assertThat(their.dlq().purge(DeadLetterQuery.all())).isZero();
            assertThat(our.deliveries().get(ourDelivery)).isPresent();
        }
    }

    private static JdbcWebhookDispatcher dispatcher(DispatcherRows rows) {
        return JdbcWebhookDispatcher.builder(rows.database, Keyring.generate(new SecureRandom()))
                .endpointsTable(rows.tables.endpoints())
                .deliveriesTable(rows.tables.deliveries())
                .build();
    }
}
