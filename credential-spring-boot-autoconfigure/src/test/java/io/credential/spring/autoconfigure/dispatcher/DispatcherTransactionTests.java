package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.nio.file.Path;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An event that is dispatched inside a transaction of the application lives and dies with it. */
class DispatcherTransactionTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final TestDatabase other = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private Receiver receiver;

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void stop() {
        receiver.close();
        database.close();
        other.close();
    }

    private ApplicationContextRunner configured(ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                "credential.webhook.dispatcher.enabled=true",
                "credential.webhook.dispatcher.allowed-cidrs=127.0.0.1",
                "credential.webhook.dispatcher.dispatch-wait=1m");
    }

    private ApplicationContextRunner runner() {
        return configured(StarterRunner.on(database, directory)).withBean(Shop.class);
    }

    private void register(WebhookDispatcher dispatcher) {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", receiver.url(), "secret of the tests", "*"));
    }

    private long deliveries() {
        return JdbcClient.create(database.dataSource())
                .sql("select count(*) from _credential_webhook_deliveries")
                .query(Long.class)
                .single();
    }

    private void assertThatItJoins(WebhookDispatcher dispatcher, Shop shop) {
        register(dispatcher);
        assertThatThrownBy(shop::placeAndFail).hasMessage("no");
        assertThat(deliveries()).isZero();

        DispatchResult result = shop.place();

        assertThat(result.deliveries())
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING));
        Patience.until(() -> receiver.received().size() >= 1);
        assertThat(deliveries()).isEqualTo(1);
    }

    @Test
    void dispatchWhenServiceIsTransactionalThenJoins() {
        runner().run(context ->
                assertThatItJoins(context.getBean(WebhookDispatcher.class), context.getBean(Shop.class)));
    }

    @Test
    void dispatchWhenManagerIsPlainJdbcThenJoins() {
        runner().withUserConfiguration(PlainManager.class)
                .run(context ->
                        assertThatItJoins(context.getBean(WebhookDispatcher.class), context.getBean(Shop.class)));
    }

    @Test
    void dispatchWhenInForeignTransactionThenRefused() {
        configured(StarterRunner.unconfigured())
                .withPropertyValues("credential.keyring.location=file:" + StarterRunner.keyring(directory))
                .withBean(Databases.class, () -> new Databases(database, other))
                .withUserConfiguration(TwoDataSources.class)
                .withBean(Shop.class)
                .run(context -> {
                    register(context.getBean(WebhookDispatcher.class));
                    Shop shop = context.getBean(Shop.class);

                    assertThatExceptionOfType(WebhookDispatcherException.class)
                            .isThrownBy(shop::place)
                            .returns("webhook-dispatcher/foreign-transaction", WebhookDispatcherException::code);
                    assertThat(deliveries()).isZero();
                    assertThat(shop.placeApart().delivered()).isEqualTo(1);
                });
    }

    static class Shop {

        private final WebhookDispatcher dispatcher;

        Shop(WebhookDispatcher dispatcher) {
            this.dispatcher = dispatcher;
        }

        @Transactional
        public void placeAndFail() {
            place();
            throw new IllegalStateException("no");
        }

        @Transactional
        public DispatchResult place() {
            return dispatcher.dispatch("order.created", "{}");
        }

        @Transactional
        public DispatchResult placeApart() {
            return dispatcher.dispatch(
                    "order.created", "{}", DispatchOptions.none().asIndependent());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class PlainManager {

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    record Databases(TestDatabase ours, TestDatabase theirs) {}

    /** The application's transactions are on the one, the dispatcher is on the other. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean(destroyMethod = "")
        @CredentialDataSource
        DataSource ours(Databases databases) {
            return databases.ours().dataSource();
        }

        @Bean(destroyMethod = "")
        DataSource theirs(Databases databases) {
            return databases.theirs().dataSource();
        }

        @Bean
        JdbcTransactionManager transactionManager(Databases databases) {
            return new JdbcTransactionManager(databases.theirs().dataSource());
        }
    }
}
