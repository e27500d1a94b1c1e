package io.credential.webhook.delivery;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What is dispatched inside a transaction is stored with it, or not at all. */
@BothDatabases
class OutboxTests extends DispatcherTestBase {

    OutboxTests(TestDatabase test) {
        super(test);
    }

    @Test
    void dispatchWhenCommittedThenDeliveredAfterwards() {
        fixture.endpoint("partner", "/partner");

        DispatchResult result = in(transaction(), () -> {
            DispatchResult inside = dispatcher.dispatch("e", "{}");
            assertThat(fixture.receiver.hooks()).isEmpty();
            return inside;
        });

        assertThat(result.delivered()).isZero();
        assertThat(result.deliveries()).extracting(Delivery::status).containsExactly(DeliveryStatus.PENDING);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void dispatchWhenRolledBackThenNothingIsStoredOrSent() {
        fixture.endpoint("partner", "/partner");

        transaction().executeWithoutResult(status -> {
            dispatcher.dispatch("e", "{}");
            dispatcher.enqueue("e", "{}");
            status.setRollbackOnly();
        });

        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
        assertThat(fixture.rows.ids("delivery_id", "{deliveries}")).isEmpty();
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void backgroundWorkWhenCommittedThenBeginsAtOnce() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        fixture.endpoint("partner", "/partner");
        node.start();

        in(transaction(), () -> node.dispatch("e", "{}"));

        fixture.await(() -> fixture.receiver.hooks().size() == 1);
    }

    @Test
    void nestedTransactionWhenRolledBackThenOuterIsKept() {
        fixture.endpoint("partner", "/partner");

        transaction().executeWithoutResult(outer -> {
            dispatcher.dispatch("kept", "{}");
            transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                dispatcher.dispatch("lost", "{}");
                nested.setRollbackOnly();
            });
        });

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()))
                .extracting(Delivery::eventType)
                .containsExactly("kept");
    }

    @Test
    void startedNodeWhenSavepointRollsBackThenSendsTheRest() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = startedWithLease();

        transaction().executeWithoutResult(outer -> {
            transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                node.dispatch("lost", "{}");
                nested.setRollbackOnly();
            });
            transaction(TransactionDefinition.PROPAGATION_NESTED)
                    .executeWithoutResult(nested -> node.dispatch("kept", "{}"));
            node.dispatch("after", "{}");
        });

        fixture.await(() -> fixture.receiver.hooks().size() == 3);
        node.close();
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Event-Type"))
                .containsExactlyInAnyOrder("before", "kept", "after");
    }

    @Test
    void afterCommitWhenDispatchCommitsThenSentOnce() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = startedWithLease();
        fixture.poll(node, Duration.ofMillis(50));

        transaction().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    node.dispatch("late", "{}");
                }
            });
            node.dispatch("e", "{}");
        });

        fixture.await(() -> fixture.rows
                .ids("delivery_id", "{deliveries} WHERE status <> 'delivered'")
                .isEmpty());
        List<String> ids = fixture.rows.ids("delivery_id", "{deliveries}");
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Delivery-Id"))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids)
                .allSatisfy(id -> assertThat(fixture.delivery(id).attempts()).isEqualTo(1));
    }

    @Test
    void afterCommitWhenDispatchRollsBackThenNotSent() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = startedWithLease();

        transaction().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    node.dispatch("late", "{}");
                }

                @Override
                public void afterCompletion(int outcome) {
                    try {
                        DataSourceUtils.getConnection(test.dataSource()).rollback();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            node.dispatch("e", "{}");
        });

        fixture.await(() -> fixture.receiver.hooks().size() >= 2);
        node.close();
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Event-Type"))
                .containsExactlyInAnyOrder("before", "e");
    }

    @Test
    void dispatchWhenBeforeTheCommitThenJoins() {
        fixture.endpoint("partner", "/partner");

        transaction()
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                assertThat(dispatcher.dispatch("e", "{}").delivered())
                                        .isZero();
                            }
                        }));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    /** As a {@code @TransactionalEventListener} does, whose connection would be held while receivers answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dispatchWhenAfterATransactionThenRefused(boolean afterAnother) {
        List<String> refusals = new ArrayList<>();

        transaction().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int outcome) {
                    if (afterAnother) {
                        test.database().inTransaction(() -> "a change");
                    }
                    try {
                        dispatcher.dispatch("e", "{}");
                    } catch (WebhookDispatcherException e) {
                        refusals.add(e.code());
                    }
                }
            });
        });

        assertThat(refusals).containsExactly("webhook-dispatcher/foreign-transaction");
    }

    @Test
    void afterCommitWhenAnotherCallbackFailsThenStillSent() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = startedWithLease();

        assertThatIllegalStateException()
                .isThrownBy(() -> transaction().executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("the application's");
                        }
                    });
                    node.dispatch("e", "{}");
                }));

        fixture.await(() -> fixture.receiver.hooks().size() == 2);
    }

    @Test
    void requiresNewWhenOuterRollsBackThenEventIsKept() {
        fixture.endpoint("partner", "/partner");

        TransactionTemplate outer = transaction();
        // One that writes would have SQLite's only write lock, and is refused a second one at once.
        outer.setReadOnly(test.kind() == DatabaseKind.SQLITE);
        outer.executeWithoutResult(status -> {
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                    .executeWithoutResult(inner -> dispatcher.dispatch("kept", "{}"));
            if (test.kind() == DatabaseKind.POSTGRESQL) {
                dispatcher.dispatch("lost", "{}");
            }
            status.setRollbackOnly();
        });

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()))
                .extracting(Delivery::eventType)
                .containsExactly("kept");
    }

    @Test
    void dispatchWhenTransactionIsReadOnlyThenRefused() {
        fixture.endpoint("partner", "/partner");
        TransactionTemplate readOnly = transaction();
        readOnly.setReadOnly(true);

        readOnly.executeWithoutResult(status -> {
            for (ThrowingCallable change : List.<ThrowingCallable>of(
                    () -> dispatcher.dispatch("e", "{}"),
                    () -> dispatcher.enqueue("e", "{}"),
                    () -> dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret(
                            "other", "https://example.com/other", List.of("e"))),
                    () -> dispatcher.rotateSecret("partner", SecretRotation.generated()),
                    () -> dispatcher.pauseEndpoint("partner"),
                    () -> dispatcher.resumeEndpoint("partner"),
                    () -> dispatcher.removeEndpoint("partner"),
                    dispatcher::resealSecrets)) {
                assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(change)
                        .withMessageContaining("read-only")
                        .returns("webhook-dispatcher/foreign-transaction", WebhookDispatcherException::code);
            }
            assertThat(dispatcher.listEndpoints()).hasSize(1);
        });

        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void dispatchWhenTransactionIsForeignThenRefused() {
        fixture.endpoint("partner", "/partner");
        try (TestDatabase other = TestDatabase.create(test.kind())) {
            new TransactionTemplate(new JdbcTransactionManager(other.dataSource())).executeWithoutResult(status -> {
                for (Runnable call :
                        List.<Runnable>of(() -> dispatcher.dispatch("e", "{}"), () -> dispatcher.enqueue("e", "{}"))) {
                    assertThatExceptionOfType(WebhookDispatcherException.class)
                            .isThrownBy(call::run)
                            .extracting(WebhookDispatcherException::code)
                            .isEqualTo("webhook-dispatcher/foreign-transaction");
                }
            });
        }
        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void independentEventWhenTransactionIsForeignThenStored() {
        fixture.endpoint("partner", "/partner");
        try (TestDatabase other = TestDatabase.create(test.kind())) {
            new TransactionTemplate(new JdbcTransactionManager(other.dataSource())).executeWithoutResult(status -> {
                DispatchOptions independent = DispatchOptions.none().asIndependent();
                assertThat(dispatcher.dispatch("e", "{}", independent).delivered())
                        .isEqualTo(1);
                dispatcher.enqueue("e", "{}", independent);
                status.setRollbackOnly();
            });
        }
        assertThat(dispatcher.deliveries().list(DeliveryQuery.all())).hasSize(2);
    }

    @Test
    void independentEventWhenAfterCompletionThenStored() {
        fixture.endpoint("partner", "/partner");

        transaction().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int outcome) {
                    dispatcher.enqueue("e", "{}", DispatchOptions.none().asIndependent());
                }
            });
            status.setRollbackOnly();
        });

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all())).hasSize(1);
    }

    @Test
    void idempotencyKeyWhenInTransactionThenFirstIsReturned() {
        fixture.endpoint("partner", "/partner");
        DispatchOptions keyed = DispatchOptions.none().withIdempotencyKey("k");

        DispatchResult first = in(transaction(), () -> dispatcher.dispatch("e", "{}", keyed));
        DispatchResult second = in(transaction(), () -> dispatcher.dispatch("e", "{}", keyed));

        assertThat(second.deliveries()).isEqualTo(first.deliveries());
    }

    @Test
    void retryWhenRolledBackThenNothingChanges() {
        fixture.receiver.answering("/partner", 500);
        fixture.endpoint("partner", "/partner");
        Delivery before = dispatcher.dispatch("e", "{}").deliveries().get(0);

        transaction().executeWithoutResult(status -> {
            Delivery inside = dispatcher.deliveries().retry(before.deliveryId());
            assertThat(inside.attempts()).isZero();
            assertThat(inside.nextAttemptAt()).isEqualTo(fixture.clock.instant());
            status.setRollbackOnly();
        });

        assertThat(fixture.delivery(before.deliveryId())).isEqualTo(before);
    }

    @Test
    void processRetriesWhenInTransactionThenRefused() {
        fixture.endpoint("partner", "/partner");
        dispatcher.enqueue("e", "{}");

        transaction()
                .executeWithoutResult(status -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(() -> dispatcher.processRetries())
                        .extracting(WebhookDispatcherException::code)
                        .isEqualTo("webhook-dispatcher/foreign-transaction"));
    }

    @Test
    void registerEndpointWhenRolledBackThenNotStored() {
        transaction().executeWithoutResult(status -> {
            fixture.endpoint("partner", "/partner");
            status.setRollbackOnly();
        });

        assertThat(dispatcher.listEndpoints()).isEmpty();
    }

    /** So that it may reserve what is dispatched in a transaction; one event has been sent. */
    private JdbcWebhookDispatcher startedWithLease() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.dispatch("before", "{}");
        return node;
    }

    private TransactionTemplate transaction() {
        return new TransactionTemplate(new JdbcTransactionManager(test.dataSource()));
    }

    private TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static DispatchResult in(TransactionTemplate transaction, Supplier<DispatchResult> work) {
        DispatchResult result = transaction.execute(status -> work.get());
        assertThat(result).isNotNull();
        return result;
    }
}
