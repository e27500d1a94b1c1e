package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.FailureReason;

import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class DeliverySearchTests {

    private static final Instant NEW_YEAR = DispatcherRows.NEW_YEAR;
    private static final DeliveryQuery ALL = DeliveryQuery.all();

    private final TestDatabase test;
    private final DispatcherRows rows;
    private final DeliverySearch search;

    DeliverySearchTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        this.search = new DeliverySearch(rows.database, rows.tables);
    }

    @Test
    void searchThenNewestFirst() {
        List<String> ids = deliveries(5);

        assertThat(idsOf(search.search(ALL))).isEqualTo(ids);
    }

    @Test
    void searchThenPagesHoldEachDeliveryOnce() {
        List<String> ids = deliveries(5);

        assertThat(pages(ALL.withLimit(2))).containsExactly(ids.subList(0, 2), ids.subList(2, 4), ids.subList(4, 5));
        assertThat(pages(ALL.withLimit(5))).containsExactly(ids);
    }

    @Test
    void searchWhenNewOnesComeThenLaterPagesAreTheSame() {
        List<String> ids = deliveries(3);
        DeliveryPage first = search.search(ALL.withLimit(2));
        rows.delivery(rows.event(NEW_YEAR.plusSeconds(9)), "shop", PENDING);

        assertThat(idsOf(search.search(ALL.after(cursorOf(first))))).isEqualTo(ids.subList(2, 3));
    }

    @Test
    void searchWhenMoreAreExaminedThanAPageMayThenContinues() {
        String oldest = rows.delivery("rare", DELIVERED);
        rows.database.inTransaction(() -> {
            for (int i = 0; i < DeliverySearch.EXAMINED; i++) {
                rows.delivery(rows.event(NEW_YEAR.plusMillis(i)), "common", DELIVERED);
            }
            return oldest;
        });
        rows.change(oldest, "attempts = 7");

        DeliveryPage first = search.search(ALL.withMinAttempts(7));

        assertThat(first.deliveries()).isEmpty();
        assertThat(idsOf(search.search(ALL.withMinAttempts(7).after(cursorOf(first)))))
                .containsExactly(oldest);
        assertThat(pages(ALL.withStatus(PENDING))).containsExactly(List.of());
        assertThat(pages(ALL.withStatus(DELIVERED).withEndpoint("rare"))).containsExactly(List.of(oldest));
    }

    @Test
    void searchWhenMuchIsPendingThenPagesHoldTheNewestFirst() {
        String oldest = rows.delivery("rare", PENDING);
        List<String> ids = new ArrayList<>();
        rows.database.inTransaction(() -> {
            for (int i = 1; i <= DeliverySearch.EXAMINED + 1; i++) {
                // The index of what is pending finds the oldest first.
                ids.add(rows.delivery(rows.event(NEW_YEAR.plusMillis(i)), "shop", i % 2 == 1 ? PENDING : IN_FLIGHT));
            }
            return ids;
        });
        Collections.reverse(ids);

        assertThat(idsOf(search.search(ALL.withStatus(PENDING).withLimit(2)))).containsExactly(ids.get(0), ids.get(2));
        assertThat(pages(ALL.withStatus(PENDING).withLimit(1000)).stream().flatMap(List::stream))
                .hasSize(DeliverySearch.EXAMINED / 2 + 2)
                .doesNotHaveDuplicates();
        assertThat(pages(ALL.withStatus(PENDING).withEndpoint("rare"))).containsExactly(List.of(oldest));
    }

    @ParameterizedTest
    @EnumSource
    void searchWhenStatusIsGivenThenFindsItAlone(DeliveryStatus status) {
        String expected = "";
        for (DeliveryStatus each : DeliveryStatus.values()) {
            String id = rows.delivery("shop", each);
            rows.delivery("other", each);
            expected = each == status ? id : expected;
        }

        assertThat(search.search(ALL.withStatus(status)).deliveries())
                .hasSize(2)
                .allSatisfy(delivery -> assertThat(delivery.status()).isEqualTo(status));
        assertThat(idsOf(search.search(ALL.withStatus(status).withEndpoint("shop"))))
                .containsExactly(expected);
    }

    static Stream<UnaryOperator<DeliveryQuery>> conditions() {
        return Stream.of(
                query -> query.withEndpoint("shop"),
                query -> query.withEventType("order.refunded"),
                query -> query.withResponseStatus(410),
                query -> query.withReason(FailureReason.HTTP_STATUS),
                query -> query.withAudience("customer-7"),
                query -> query.withMinAttempts(3),
                query -> query.withCreatedFrom(NEW_YEAR.plusMillis(5)),
                query -> query.withCreatedFrom(NEW_YEAR.plusNanos(4_000_001)),
                query -> query.withIdempotencyKey("paid-1"));
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void searchWhenConditionIsGivenThenFindsWhatMatches(UnaryOperator<DeliveryQuery> condition) {
        for (DeliveryStatus status : DeliveryStatus.values()) {
            rows.delivery(rows.event(NEW_YEAR), "other", status);
            String event = rows.event(NEW_YEAR.plusMillis(5));
            String id = rows.delivery(event, "shop", status);
            rows.change(
                    id, "response_status = 410, last_reason = 'http-status', audience = 'customer-7', attempts = 3");
            rows.sql(
                            "UPDATE {events} SET event_type = 'order.refunded', idempotency_key = 'paid-1' WHERE event_id = :id")
                    .param("id", event)
                    .update();

            assertThat(idsOf(search.search(condition.apply(ALL)))).containsExactly(id);
            assertThat(idsOf(search.search(condition.apply(ALL.withStatus(status)))))
                    .containsExactly(id);
            assertThat(idsOf(search.search(condition.apply(ALL.withEvent(event)))))
                    .containsExactly(id);
            rows.sql("UPDATE {events} SET idempotency_key = NULL").update();
            rows.sql("DELETE FROM {deliveries}").update();
        }
    }

    @Test
    void searchWhenTimeHasNoEventsThenEmpty() {
        rows.delivery("shop", PENDING);

        assertThat(pages(ALL.withCreatedBefore(NEW_YEAR))).containsExactly(List.of());
        assertThat(pages(ALL.withCreatedFrom(Instant.MAX))).containsExactly(List.of());
        assertThat(pages(ALL.withCreatedBefore(Instant.MIN))).containsExactly(List.of());
        assertThat(search.search(ALL.withCreatedFrom(Instant.MIN).withCreatedBefore(Instant.MAX))
                        .deliveries())
                .hasSize(1);
    }

    @Test
    void searchWhenKeyBelongsToAnotherEventThenEmpty() {
        String keyed = rows.event(NEW_YEAR);
        rows.sql("UPDATE {events} SET idempotency_key = 'paid-1'").update();
        rows.delivery(keyed, "shop", PENDING);
        String other = rows.event(NEW_YEAR);
        rows.delivery(other, "shop", PENDING);

        assertThat(pages(ALL.withIdempotencyKey("paid-1").withEvent(other))).containsExactly(List.of());
        assertThat(pages(ALL.withIdempotencyKey("paid-2"))).containsExactly(List.of());
    }

    static Stream<DeliveryQuery> impossible() {
        return Stream.of(
                ALL.withEndpoint("no\0name"),
                ALL.withEventType(""),
                ALL.withAudience("a b"),
                ALL.withEvent("0123"),
                ALL.withIdempotencyKey("\u00e9"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void searchWhenNothingCanMatchThenDatabaseIsNotAsked(DeliveryQuery query) {
        assertThat(searchWithoutDatabase().search(query)).isEqualTo(new DeliveryPage(List.of(), null));
    }

    @Test
    void queryWhenNumberOrCursorIsInvalidThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ALL.withResponseStatus(99))
                .withMessageContaining("responseStatus");
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ALL.withMinAttempts(-1))
                .withMessageContaining("minAttempts");
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ALL.after("' OR 1 = 1"))
                .withMessageContaining("nextCursor");
    }

    /** Over a pool that is closed once it has been looked at. */
    private DeliverySearch searchWithoutDatabase() {
        try (TestDatabase gone = TestDatabase.create(test.kind())) {
            return new DeliverySearch(CredentialDatabase.of(gone.dataSource()), rows.tables);
        }
    }

    /** Returns their ids, the newest first. */
    private List<String> deliveries(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(rows.delivery(rows.event(NEW_YEAR.plusMillis(i)), "shop", PENDING));
        }
        Collections.reverse(ids);
        return ids;
    }

    private List<List<String>> pages(DeliveryQuery query) {
        List<List<String>> pages = new ArrayList<>();
        DeliveryPage page = search.search(query);
        pages.add(idsOf(page));
        while (page.nextCursor() != null) {
            page = search.search(query.after(page.nextCursor()));
            pages.add(idsOf(page));
        }
        return pages;
    }

    private static List<String> idsOf(DeliveryPage page) {
        return page.deliveries().stream().map(Delivery::deliveryId).toList();
    }

    private static String cursorOf(DeliveryPage page) {
        return Objects.requireNonNull(page.nextCursor(), "This is the last page");
    }
}
