package io.credential.spring.test.shop;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.test.WithMockApiKey;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;

@WebMvcTest
@Import(Orders.class)
class WithMockApiKeyTests {

    @MockitoBean
    private WebhookDispatcher dispatcher;

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private Orders orders;

    @Test
    @WithMockApiKey(scopes = "orders:ship")
    void serviceWhenKeyHasScopeThenAllowed() {
        assertThatCode(() -> orders.ship("4711")).doesNotThrowAnyException();
    }

    @Test
    @WithMockApiKey(scopes = {"orders:*", "*"})
    void serviceWhenWildcardsAreDisabledThenDenied() {
        assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> orders.ship("4711"));
    }

    @Test
    @WithMockApiKey(scopes = "orders:read")
    void serviceWhenKeyLacksScopeThenDenied() {
        assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> orders.ship("4711"));
    }

    @Test
    @WithMockApiKey(id = "00112233", namespace = "test", ownerId = "shop-7", scopes = "orders:read")
    void annotationThenAuthenticationIsThatOfKey() {
        ApiKeyAuthentication mock =
                (ApiKeyAuthentication) SecurityContextHolder.getContext().getAuthentication();
        ApiKey key = mock.getPrincipal();

        assertThat(ShopApplication.describe(mock))
                .isEqualTo(ShopApplication.describe(ApiKeyAuthentication.of(key, key.createdAt())));
        assertThat(key.id()).isEqualTo("00112233");
        assertThat(key.namespace()).isEqualTo("test");
        assertThat(key.ownerId()).isEqualTo("shop-7");
        assertThat(key.scopes()).containsExactly("orders:read");
    }

    @Test
    @WithMockApiKey(ownerId = "shop-7", scopes = "orders:write")
    void requestThenAuthenticatedAndNeedsCsrfToken() {
        assertThat(mvc.post().uri("/orders")).hasStatus(403);
        assertThat(mvc.post().uri("/orders").with(csrf())).hasStatusOk().hasBodyTextEqualTo("shop-7");
    }

    @Test
    @WithMockApiKey
    void requestWhenScopeIsMissingThenProblem() {
        assertThat(mvc.get().uri("/orders"))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.code")
                .isEqualTo("api-key/insufficient-scope");
    }
}
