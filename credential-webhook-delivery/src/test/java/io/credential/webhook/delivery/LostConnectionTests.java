package io.credential.webhook.delivery;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The connection to PostgreSQL is lost at any statement of the dispatcher, before the server gets it or before its answer
 * arrives: nothing is lost, nothing is stuck, and nothing is sent twice.
 */
class LostConnectionTests {

    private static final String FAN_OUT = "fanned_out AS";
    private static final String CLAIM = "picked AS";
    private static final String OUTCOME = "settled AS";

    private static final List<String> OTHERS = List.of(
            "WITH RECURSIVE open",
            "INSERT INTO _credential_leases",
            "UPDATE _credential_leases",
            "SELECT name, epoch, holder FROM");

    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final DispatcherFixture fixture = new DispatcherFixture(test);
    private final HikariDataSource pool = new HikariDataSource();
    private StallingProxy proxy;
    private JdbcWebhookDispatcher node;
    private @Nullable Polling polling;

    @BeforeEach
    void start() throws IOException {
        proxy = new StallingProxy(test.jdbcUrl());
        pool.setJdbcUrl(proxy.jdbcUrl());
        pool.addDataSourceProperty("prepareThreshold", "0"); // every statement is sent with its text
        fixture.endpoint("a", "/a");
        fixture.endpoint("b", "/b");
        node = DispatcherFixture.builder(CredentialDatabase.of(pool), fixture.keyring, InstantSource.system())
                .dispatchWait(Duration.ofHours(1))
                .claimReclaimAfter(Duration.ofHours(1)) // whatever is stuck until then fails the test
                .build();
        node.start();
    }

    /** After the cut was armed: the first poll registers the node, which happens once. */
    private void poll() {
        polling = new Polling(node, Duration.ofMillis(100));
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        if (polling != null) {
            polling.close();
        }
        node.close(Duration.ofSeconds(2));
        pool.close();
        proxy.close();
        test.close();
    }

    @ParameterizedTest
    @MethodSource("dispatched")
    void dispatchWhenConnectionIsLostThenDeliveredOnce(String statement, boolean atTheAnswer) {
        cut(statement, atTheAnswer);
        poll();

        int delivered = dispatch();
        fixture.await(() -> !proxy.isCutAwaited());
        dispatch();

        awaitEachDeliveredOnce();
        assertThat(delivered).as("what the caller is told").isEqualTo(statement.equals(OUTCOME) ? 2 : 0);
        boolean isLost = statement.equals(FAN_OUT) && !atTheAnswer;
        assertThat(fixture.rows.ids("event_id", "{events}")).hasSize(isLost ? 1 : 2);
    }

    @ParameterizedTest
    @MethodSource("claimed")
    void claimWhenConnectionIsLostThenDeliveredOnce(String statement, boolean atTheAnswer) {
        cut(statement, atTheAnswer);
        poll();

        fixture.dispatcher.enqueue("e", "{}");
        fixture.await(() -> !proxy.isCutAwaited());

        awaitEachDeliveredOnce();
        assertThat(fixture.rows.ids("event_id", "{events}")).hasSize(1);
    }

    @Test
    void claimWhenItFailsThenRepeatedWithoutAPoll() {
        proxy.cutBeforeTheServerGets(CLAIM);

        fixture.dispatcher.enqueue("e", "{}");
        node.poll();
        fixture.await(() -> !proxy.isCutAwaited());

        awaitEachDeliveredOnce();
    }

    @Test
    void suspectWhenClaimOfOthersFailsThenIsAttempted() {
        proxy.cutBeforeTheServerGets(CLAIM);
        poll();

        fixture.database().inTransaction(() -> {
            fixture.rows.change(fixture.rows.delivery("a", DeliveryStatus.PENDING), "attempts = 0, takeovers = 2");
            return fixture.dispatcher.enqueue("e", "{}");
        });
        fixture.await(() -> !proxy.isCutAwaited());

        awaitEachDeliveredOnce();
    }

    static Stream<Arguments> dispatched() {
        return atBothPlaces(Stream.of(FAN_OUT, OUTCOME));
    }

    static Stream<Arguments> claimed() {
        return atBothPlaces(Stream.concat(Stream.of(CLAIM, OUTCOME), OTHERS.stream()));
    }

    private static Stream<Arguments> atBothPlaces(Stream<String> statements) {
        return statements.flatMap(
                statement -> Stream.of(Arguments.of(statement, false), Arguments.of(statement, true)));
    }

    private void cut(String statement, boolean atTheAnswer) {
        if (atTheAnswer) {
            proxy.cutBeforeTheAnswerTo(statement);
        } else {
            proxy.cutBeforeTheServerGets(statement);
        }
    }

    /** The caller learns that it is not known whether the event was stored. */
    private int dispatch() {
        try {
            return node.dispatch("e", "{}").delivered();
        } catch (DataAccessException e) {
            assertThat(e).hasMessageNotContaining(DispatcherFixture.SECRET);
            return 0;
        }
    }

    private void awaitEachDeliveredOnce() {
        fixture.await(() -> fixture.rows
                .sql("SELECT count(*) FROM {deliveries} WHERE status <> 'delivered'")
                .query(Long.class)
                .single()
                .equals(0L));
        List<String> ids = fixture.rows.ids("delivery_id", "{deliveries}");
        assertThat(ids)
                .isNotEmpty()
                .allSatisfy(id -> assertThat(fixture.delivery(id).attempts()).isEqualTo(1));
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Delivery-Id"))
                .containsExactlyInAnyOrderElementsOf(ids);
    }
}
