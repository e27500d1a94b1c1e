package io.credential.spring.test.shop;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.test.WithMockApiKey;
import io.credential.webhook.delivery.WebhookDispatcher;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** Mock keys have the scopes that the same key would have in production. */
@WebMvcTest
@Import(Orders.class)
@TestPropertySource(properties = "credential.api-keys.scopes.wildcards=true")
class WildcardKeyTests {

    @MockitoBean
    private WebhookDispatcher dispatcher;

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private Orders orders;

    @Test
    @WithMockApiKey(scopes = "orders:*")
    void serviceWhenKeyHasWildcardThenAllowed() {
        assertThatCode(() -> orders.ship("4711")).doesNotThrowAnyException();
    }

    @Test
    void requestWhenKeyHasWildcardThenOk() {
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("orders:*"))).hasStatusOk();
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("stock:*"))).hasStatus(403);
    }
}
