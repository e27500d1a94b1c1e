package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;

import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@BothDatabases
class DeliveryReaderTests {

    private static final Instant NOW = DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1));

    private final TestDatabase test;
    private final DispatcherRows rows;
    private final DeliveryReader reader;

    DeliveryReaderTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        this.reader = new DeliveryReader(rows.database, rows.tables);
    }

    @Test
    void findThenShowsEveryField() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String id = rows.delivery(event, "shop", IN_FLIGHT);
        rows.change(
                id,
                "attempts = 3, next_attempt_at = next_attempt_at + 9, response_status = 503, last_error = 'x',"
                        + " last_reason = 'timed-out'");

        assertThat(reader.find(id))
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
                        FailureReason.TIMED_OUT,
                        DispatcherRows.NEW_YEAR,
                        null));
    }

    @Test
    void findWhenFieldsAreMissingThenNull() {
        String delivered = rows.delivery("shop", DELIVERED);

        assertThat(reader.find(delivered)).hasValueSatisfying(delivery -> {
            assertThat(delivery.deliveredAt()).isEqualTo(DispatcherRows.NEW_YEAR.plusSeconds(1));
            assertThat(delivery.claimedAt()).isNull();
            assertThat(delivery.responseStatus()).isNull();
            assertThat(delivery.lastError()).isNull();
            assertThat(delivery.payloadErasedAt()).isNull();
        });
    }

    @Test
    void findWhenIdIsUnknownThenEmpty() {
        assertThat(reader.find("00".repeat(16))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123", "0123456789ABCDEF0123456789ABCDEF", "g123456789abcdef0123456789abcdef"})
    void idWhenImpossibleThenIsNotLookedUp(String id) {
        DeliveryReader closed = logWithoutDatabase();

        assertThat(closed.find(id)).isEmpty();
        assertThat(closed.ofEvent(id)).isEmpty();
        assertThat(closed.attempts(id)).isEmpty();
        assertThat(closed.findWithAttempts(id, 1)).isEmpty();
    }

    @Test
    void ofEventThenShowsItsDeliveriesInOrderOfIds() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String first = rows.delivery(event, "a", PENDING);
        String second = rows.delivery(event, "b", DELIVERED);
        rows.delivery(rows.event(DispatcherRows.NEW_YEAR), "a", PENDING);

        assertThat(reader.ofEvent(event)).extracting(Delivery::deliveryId).containsExactly(first, second);
    }

    @Test
    void ofEventWhenIdsBeginAlikeThenTellsThemApart() {
        String event = rows.event(DispatcherRows.NEW_YEAR);
        String id = rows.delivery(event, "a", PENDING);
        String alike = event.substring(0, 24) + "ffffffff";
        rows.delivery(alike, "a", PENDING);

        assertThat(reader.ofEvent(event)).extracting(Delivery::deliveryId).containsExactly(id);
    }

    @Test
    void attemptsThenAreTheLatestFirst() {
        String id = rows.delivery("shop", PENDING);
        rows.attempt(id, 1, NOW);
        rows.attempt(id, 2, NOW.plusSeconds(5));
        rows.attempt(rows.delivery("shop", PENDING), 1, NOW);

        assertThat(reader.attempts(id)).containsExactly(attempt(2, NOW.plusSeconds(5)), attempt(1, NOW));
    }

    @Test
    void attemptsWhenOverAThousandThenLatestAreShown() {
        String id = rows.delivery("shop", PENDING);
        rows.database.inTransaction(() -> {
            for (int i = 1; i <= 1001; i++) {
                rows.attempt(id, i, NOW.plusSeconds(i));
            }
            return id;
        });

        assertThat(reader.attempts(id)).hasSize(1000).first().returns(1001, DeliveryAttempt::attempt);
    }

    @Test
    void findWithAttemptsThenHasAsManyOfTheLatest() {
        String id = rows.delivery("shop", PENDING);
        rows.attempt(id, 1, NOW);
        rows.attempt(id, 2, NOW.plusSeconds(5));
        rows.attempt(id, 3, NOW.plusSeconds(9));
        rows.attempt(rows.delivery("shop", PENDING), 4, NOW.plusSeconds(10));

        assertThat(reader.findWithAttempts(id, 2))
                .contains(new DeliveryWithAttempts(
                        reader.find(id).orElseThrow(),
                        List.of(attempt(3, NOW.plusSeconds(9)), attempt(2, NOW.plusSeconds(5)))));
    }

    @Test
    void findWithAttemptsWhenThereAreNoneThenHasTheDelivery() {
        String id = rows.delivery("shop", PENDING);

        assertThat(reader.findWithAttempts(id, 2))
                .contains(new DeliveryWithAttempts(reader.find(id).orElseThrow(), List.of()));
        assertThat(reader.findWithAttempts("00".repeat(16), 2)).isEmpty();
    }

    @Test
    void findWhenStatusIsUnknownThenFailsNamingTheDelivery() {
        String id = rows.delivery("shop", PENDING);
        rows.change(id, "status = 'lost'");

        assertThatIllegalStateException().isThrownBy(() -> reader.find(id)).withMessageContaining(id);
    }

    @Test
    void attemptWithoutRequestThenHasNoHeaders() {
        String id = rows.delivery("shop", PENDING);
        rows.attempt(id, 1, NOW);
        rows.sql("UPDATE {attempts} SET request_headers = NULL").update();

        assertThat(reader.attempts(id))
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.requestHeaders()).isEmpty());
    }

    private static DeliveryAttempt attempt(int number, Instant startedAt) {
        return new DeliveryAttempt(
                number,
                startedAt,
                Duration.ofMillis(1500),
                Map.of("X-Webhook-Attempt", "1", "Webhook-Signature", "t=1: 2"),
                500,
                FailurePhase.RESPONSE,
                FailureReason.HTTP_STATUS,
                "status 500",
                null,
                Map.of("server", "x"),
                "sorry");
    }

    /** Over a pool that is closed once it has been looked at. */
    private DeliveryReader logWithoutDatabase() {
        try (TestDatabase gone = TestDatabase.create(test.kind())) {
            return new DeliveryReader(CredentialDatabase.of(gone.dataSource()), rows.tables);
        }
    }
}
