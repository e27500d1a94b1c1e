package io.credential.spring.security.slice;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.security.FakeRegistries;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;

/** The slice that users test their controllers with: filter and scope checks are there, the database is not. */
@WebMvcTest
@Import(SliceApplication.SliceController.class)
@TestPropertySource(properties = "credential.api-keys.registries.live.prefix=bk")
class WebMvcSliceTests {

    @Autowired
    private MockMvcTester mvc;

    @MockitoBean
    private ApiKeyRegistries registries;

    @MockitoBean
    private SliceApplication.Warehouse warehouse;

    private final ApiKeyRegistry live = mock(ApiKeyRegistry.class);

    @BeforeEach
    void registry() {
        given(live.namespace()).willReturn("live");
        given(live.verify(token("live"))).willReturn(Optional.of(FakeRegistries.key("live", "orders:write")));
        given(registries.forToken(token("live"))).willReturn(Optional.of(live));
    }

    @Test
    void registryWhenMockedThenAuthenticates() {
        assertThat(mvc.get().uri("/whoami").header("X-API-Key", token("live")))
                .hasStatusOk()
                .hasBodyTextEqualTo("owner-1");
        assertThat(mvc.post().uri("/orders").header("X-API-Key", token("live"))).hasStatusOk();
    }

    @Test
    void keyWhenUnknownThenRefused() {
        assertThat(mvc.get().uri("/whoami").header("X-API-Key", token("other")))
                .hasStatus(401)
                .hasHeader("WWW-Authenticate", "ApiKey realm=\"api\"");
    }

    @Test
    void scopeThenIsCheckedBeforeTheBodyIsLookedAt() {
        given(live.verify(token("live"))).willReturn(Optional.of(FakeRegistries.key("live")));

        assertThat(mvc.post()
                        .uri("/orders/typed")
                        .header("X-API-Key", token("live"))
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{ this is no JSON"))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.missingScopes")
                .asArray()
                .containsExactly("orders:write");
    }

    @Test
    void serviceWhenItDemandsScopeThenCanBeMocked() {
        given(warehouse.stock()).willReturn("plenty");

        assertThat(mvc.get().uri("/stock").header("X-API-Key", token("live")))
                .hasStatusOk()
                .hasBodyTextEqualTo("plenty");
    }

    @Test
    void authenticationWhenTestBringsItThenItsScopesCount() {
        ApiKeyAuthentication writer = new ApiKeyAuthentication(
                FakeRegistries.key("live", "orders:write"), List.of(new SimpleGrantedAuthority("SCOPE_orders:write")));
        ApiKeyAuthentication reader = new ApiKeyAuthentication(FakeRegistries.key("live"), List.of());

        assertThat(mvc.post().uri("/orders").with(authentication(writer)).with(csrf()))
                .hasStatusOk();
        assertThat(mvc.post().uri("/orders").with(authentication(reader)).with(csrf()))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.missingScopes")
                .asArray()
                .containsExactly("orders:write");
    }
}
