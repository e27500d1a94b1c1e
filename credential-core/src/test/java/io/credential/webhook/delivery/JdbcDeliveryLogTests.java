package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.storage.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@BothDatabases
class JdbcDeliveryLogTests {

    private static final Instant NOW = DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1));

    private final TestDatabase test;
    private final DispatcherRows rows;
    private final JdbcDeliveryLog log;

    JdbcDeliveryLogTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        this.log = new JdbcDeliveryLog(rows.database, rows.tables);
    }

    @Test
    void findShowsEveryField() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String id = rows.delivery(event, "shop", IN_FLIGHT);
        rows.change(id, "attempts = 3, next_attempt_at = next_attempt_at + 9, response_status = 503, last_error = 'x'");

        assertThat(log.find(id))
                .contains(new Delivery(
                        id,
                        event,
                        "shop",
                        "order.paid",
                        IN_FLIGHT,
                        3,
                        DispatcherRows.NEW_YEAR.plusMillis(9),
                        DispatcherRows.NEW_YEAR.plusSeconds(1),
                        null,
                        503,
                        "x",
                        DispatcherRows.NEW_YEAR));
    }

    @Test
    void whatThereIsNotIsNull() {
        String delivered = rows.delivery("shop", DELIVERED);

        assertThat(log.find(delivered)).hasValueSatisfying(delivery -> {
            assertThat(delivery.deliveredAt()).isEqualTo(DispatcherRows.NEW_YEAR.plusSeconds(1));
            assertThat(delivery.claimedAt()).isNull();
            assertThat(delivery.responseStatus()).isNull();
            assertThat(delivery.lastError()).isNull();
        });
    }

    @Test
    void findOfAnUnknownIdIsEmpty() {
        assertThat(log.find("00".repeat(16))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123", "0123456789ABCDEF0123456789ABCDEF", "g123456789abcdef0123456789abcdef"})
    void anIdThatNoneCanHaveIsNotLookedUp(String id) {
        JdbcDeliveryLog closed = logWithoutDatabase();

        assertThat(closed.find(id)).isEmpty();
        assertThat(closed.ofEvent(id)).isEmpty();
        assertThat(closed.attempts(id)).isEmpty();
        assertThat(closed.list(DeliveryQuery.all().withEndpoint("no\0name"))).isEmpty();
        assertThat(closed.replayAll(DeadLetterQuery.ofEndpoint("no\0name"), 0)).isZero();
        assertThat(closed.purge(DeadLetterQuery.ofEndpoint("no\0name"))).isZero();
    }

    @Test
    void listIsNewestFirstAndNoLongerThanItsLimit() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(rows.delivery(rows.event(DispatcherRows.NEW_YEAR.plusMillis(i)), "shop", PENDING));
        }
        Collections.reverse(ids);

        assertThat(log.list(DeliveryQuery.all()))
                .extracting(Delivery::deliveryId)
                .containsExactlyElementsOf(ids);
        assertThat(log.list(DeliveryQuery.all().withLimit(2)))
                .extracting(Delivery::deliveryId)
                .containsExactlyElementsOf(ids.subList(0, 2));
    }

    @ParameterizedTest
    @EnumSource
    void listOfAStatusShowsThatStatusAlone(DeliveryStatus status) {
        String expected = "";
        for (DeliveryStatus each : DeliveryStatus.values()) {
            String id = rows.delivery("shop", each);
            rows.delivery("other", each);
            expected = each == status ? id : expected;
        }

        assertThat(log.list(DeliveryQuery.all().withStatus(status)))
                .hasSize(2)
                .allSatisfy(delivery -> assertThat(delivery.status()).isEqualTo(status));
        assertThat(log.list(DeliveryQuery.all().withStatus(status).withEndpoint("shop")))
                .extracting(Delivery::deliveryId)
                .containsExactly(expected);
    }

    @Test
    void listOfAnEndpointShowsThatEndpointAlone() {
        String pending = rows.delivery("shop", PENDING);
        String dead = rows.delivery("shop", DEAD);
        rows.delivery("shop-2", PENDING);

        assertThat(log.list(DeliveryQuery.all().withEndpoint("shop")))
                .extracting(Delivery::deliveryId)
                .containsExactly(dead, pending);
    }

    @Test
    void ofEventShowsTheDeliveriesOfThatEventInTheOrderOfTheirIds() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String first = rows.delivery(event, "a", PENDING);
        String second = rows.delivery(event, "b", DELIVERED);
        rows.delivery(rows.event(DispatcherRows.NEW_YEAR), "a", PENDING);

        assertThat(log.ofEvent(event)).extracting(Delivery::deliveryId).containsExactly(first, second);
    }

    @Test
    void ofEventTellsEventsApartWhoseIdsBeginAlike() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String id = rows.delivery(event, "a", PENDING);
        String alike = event.substring(0, 24) + "ffffffff";
        rows.delivery(alike, "a", PENDING);

        assertThat(log.ofEvent(event)).extracting(Delivery::deliveryId).containsExactly(id);
    }

    @Test
    void attemptsAreTheLatestFirst() {
        String id = rows.delivery("shop", PENDING);
        rows.attempt(id, 1, NOW);
        rows.attempt(id, 2, NOW.plusSeconds(5));
        rows.attempt(rows.delivery("shop", PENDING), 1, NOW);

        assertThat(log.attempts(id))
                .containsExactly(
                        new DeliveryAttempt(2, NOW.plusSeconds(5), Duration.ofMillis(1500), 500, "status 500", "sorry"),
                        new DeliveryAttempt(1, NOW, Duration.ofMillis(1500), 500, "status 500", "sorry"));
    }

    @Test
    void noMoreThanAThousandAttemptsAreShown() {
        String id = rows.delivery("shop", PENDING);
        rows.database.inTransaction(() -> {
            for (int i = 1; i <= 1001; i++) {
                rows.attempt(id, i, NOW.plusSeconds(i));
            }
            return id;
        });

        assertThat(log.attempts(id)).hasSize(1000).first().returns(1001, DeliveryAttempt::attempt);
    }

    @Test
    void listDeadShowsTheDeadNewestFirst() {
        String older = rows.delivery("shop", DEAD);
        rows.delivery("shop", PENDING);
        String newer = rows.delivery("other", DEAD);

        assertThat(log.listDead(100)).extracting(Delivery::deliveryId).containsExactly(newer, older);
        assertThat(log.listDead(1)).extracting(Delivery::deliveryId).containsExactly(newer);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> log.listDead(0))
                .withMessageContaining("limit");
    }

    @Test
    void aStatusThatThereIsNotIsReportedByTheDelivery() {
        String id = rows.delivery("shop", PENDING);
        rows.change(id, "status = 'lost'");

        assertThatIllegalStateException().isThrownBy(() -> log.find(id)).withMessageContaining(id);
    }

    @Test
    void replayAllMakesDeadDeliveriesPendingWithAllTheirAttemptsBeforeThem() {
        String dead = rows.delivery("shop", DEAD);
        String delivered = rows.delivery("shop", DELIVERED);

        assertThat(log.replayAll(DeadLetterQuery.all(), NOW.toEpochMilli())).isEqualTo(1);

        assertThat(log.find(dead)).hasValueSatisfying(delivery -> {
            assertThat(delivery.status()).isEqualTo(PENDING);
            assertThat(delivery.attempts()).isZero();
            assertThat(delivery.nextAttemptAt()).isEqualTo(NOW);
        });
        assertThat(rows.stored(dead, "dead_at")).isNull();
        assertThat(rows.stored(delivered, "status")).isEqualTo("delivered");
        assertThat(log.listDead(100)).isEmpty();
    }

    @Test
    void aQueryPicksByEndpointAndByTheTimeOfDeath() {
        long death = DispatcherRows.NEW_YEAR.plusSeconds(1).toEpochMilli();
        String early = rows.delivery("shop", DEAD);
        String middle = rows.delivery("shop", DEAD);
        rows.change(middle, "dead_at = " + (death + 1));
        String late = rows.delivery("shop", DEAD);
        rows.change(late, "dead_at = " + (death + 2));
        String other = rows.delivery("other", DEAD);
        rows.change(other, "dead_at = " + (death + 1));

        assertThat(log.replayAll(
                        new DeadLetterQuery("shop", Instant.ofEpochMilli(death + 1), Instant.ofEpochMilli(death + 2)),
                        NOW.toEpochMilli()))
                .isEqualTo(1);
        assertThat(rows.stored(middle, "status")).isEqualTo("pending");
        assertThat(log.purge(DeadLetterQuery.ofEndpoint("shop"))).isEqualTo(2);
        assertThat(log.find(early)).isEmpty();
        assertThat(log.find(late)).isEmpty();
        assertThat(log.find(other)).isPresent();
    }

    @Test
    void timesBeyondMillisecondsAreNoLimit() {
        rows.delivery("shop", DEAD);

        assertThat(log.replayAll(new DeadLetterQuery(null, Instant.MAX, null), 0))
                .isZero();
        assertThat(log.replayAll(new DeadLetterQuery(null, null, Instant.MIN), 0))
                .isZero();
        assertThat(log.replayAll(new DeadLetterQuery(null, Instant.MIN, Instant.MAX), 0))
                .isEqualTo(1);
    }

    @Test
    void replayAllAndPurgeReachBeyondOneBatch() {
        rows.database.inTransaction(() -> {
            for (int i = 0; i < 1001; i++) {
                rows.delivery("shop", DEAD);
            }
            return "";
        });

        assertThat(log.replayAll(DeadLetterQuery.all(), NOW.toEpochMilli())).isEqualTo(1001);
        rows.sql("UPDATE {deliveries} SET status = 'dead', dead_at = 1").update();
        assertThat(log.purge(DeadLetterQuery.all())).isEqualTo(1001);
        assertThat(rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void purgeRemovesAttemptsAndTheEventsThatNothingRefersToAnyMore() {
        String lonely = rows.event(DispatcherRows.NEW_YEAR);
        String dead = rows.delivery(lonely, "a", DEAD);
        rows.attempt(dead, 1, NOW);
        String shared = rows.event(DispatcherRows.NEW_YEAR);
        rows.delivery(shared, "a", DEAD);
        String open = rows.delivery(shared, "b", PENDING);
        rows.attempt(open, 1, NOW);
        String unread = rows.event(DispatcherRows.NEW_YEAR);

        assertThat(log.purge(DeadLetterQuery.all())).isEqualTo(2);

        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(open);
        assertThat(rows.ids("delivery_id", "{attempts}")).containsExactly(open);
        assertThat(rows.ids("event_id", "{events}")).containsExactly(shared, unread);
    }

    @Test
    void replayAllAndPurgeJoinTheCallersTransaction() {
        String replayed = rows.delivery("a", DEAD);
        String purged = rows.delivery("b", DEAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    assertThat(log.replayAll(DeadLetterQuery.ofEndpoint("a"), 0))
                            .isEqualTo(1);
                    assertThat(log.purge(DeadLetterQuery.ofEndpoint("b"))).isEqualTo(1);
                    throw new IllegalStateException("roll back");
                }));

        assertThat(log.listDead(100)).extracting(Delivery::deliveryId).containsExactly(purged, replayed);
        assertThat(rows.ids("event_id", "{events}")).hasSize(2);
    }

    /** Over a pool that is closed once it has been looked at. */
    private JdbcDeliveryLog logWithoutDatabase() {
        try (TestDatabase gone = TestDatabase.create(test.kind())) {
            return new JdbcDeliveryLog(CredentialDatabase.of(gone.dataSource()), rows.tables);
        }
    }
}
