package io.credential.spring.test.shop;

import java.nio.file.Path;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.test.WebhookReceiver;
import io.credential.spring.test.WithMockApiKey;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The whole application, with its own registry and dispatcher for the test. */
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureInMemoryCredential
class ShopTests {

    @AutoClose
    private final WebhookReceiver receiver = WebhookReceiver.start();

    @Autowired
    private Orders orders;

    @Autowired
    private WebhookDispatcher dispatcher;

    @Autowired
    private ApiKeyRegistry registry;

    @Autowired
    private CredentialProperties properties;

    @Autowired
    private HikariDataSource dataSource;

    @Autowired
    private MockMvcTester mvc;

    @Test
    @WithMockApiKey(scopes = "orders:ship")
    void shipThenEndpointIsNotified() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "order.shipped"));

        orders.ship("4711");

        assertThat(receiver.awaitDelivery("order.shipped").body()).isEqualTo("{\"id\":\"4711\"}");
    }

    @Test
    @WithMockApiKey
    void shipWhenDeniedThenNobodyIsNotified() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-8", "order.shipped"));

        assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> orders.ship("4711"));

        receiver.assertNone(dispatcher, "order.shipped");
    }

    @Test
    void tokenThenAccepted() {
        String token = registry.issue(IssueRequest.forOwner("shop-7").scopes("orders:read"))
                .key();

        assertThat(mvc.get().uri("/orders").header("X-API-Key", token)).hasStatusOk();
    }

    @Test
    void contextThenHasTemporaryDatabaseAndKeyring() {
        Path file = Path.of(properties.storage().path());

        assertThat(properties.keyring().isEphemeral()).isTrue();
        assertThat(file).exists().startsWith(Path.of(System.getProperty("java.io.tmpdir")));
        assertThat(dataSource.getDataSource()).hasToString("SqliteDataSource[" + file + "]");
    }
}
