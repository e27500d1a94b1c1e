package io.credential.webhook.delivery;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications with columns of types such as JSON often let the driver send texts without a type. */
class UntypedTextTests {

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final DispatcherFixture fixture = new DispatcherFixture(test);

    @Test
    void dispatchWhenTextsHaveNoTypeThenDelivered() {
        fixture.dispatcher.declareSchema();
        fixture.endpoint("one", "/one");
        String url = test.jdbcUrl();
        DriverManagerDataSource untyped =
                new DriverManagerDataSource(url + (url.contains("?") ? "&" : "?") + "stringtype=unspecified");
        try (JdbcWebhookDispatcher dispatcher = DispatcherFixture.builder(
                        CredentialDatabase.of(untyped), fixture.keyring, fixture.clock)
                .dispatchWait(Duration.ofMinutes(1))
                .build()) {
            assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);
        }
    }
}
