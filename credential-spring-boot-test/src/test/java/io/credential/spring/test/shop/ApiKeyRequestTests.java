package io.credential.spring.test.shop;

import java.util.Collections;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

/** Requests with mock keys in a slice, compared with requests with tokens. */
@WebMvcTest
@AutoConfigureInMemoryCredential
class ApiKeyRequestTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private ApiKeyRegistry registry;

    private String token(String... scopes) {
        return registry.issue(IssueRequest.forOwner("shop-7").scopes(scopes)).key();
    }

    @Test
    void tokenWhenIssuedThenAccepted() {
        assertThat(mvc.get().uri("/orders").header("X-API-Key", token("orders:read")))
                .hasStatusOk()
                .bodyJson()
                .isStrictlyEqualTo("[\"shop-7\",\"live\"]");
    }

    @Test
    void tokenWhenUnknownThen401() {
        assertThat(mvc.get().uri("/orders").header("X-API-Key", "bk_live_0123456789abcdef_" + "00".repeat(16)))
                .hasStatus(401);
    }

    @Test
    void apiKeyThenSameCallerAsWithToken() throws Exception {
        MvcTestResult real = mvc.get()
                .uri("/caller")
                .header("X-API-Key", token("orders:read", "orders:write"))
                .exchange();
        MvcTestResult mock = mvc.get()
                .uri("/caller")
                .with(apiKey().ownerId("shop-7").scopes("orders:read", "orders:write"))
                .exchange();

        assertThat(real).hasStatusOk().bodyJson().extractingPath("$.session").isEqualTo(false);
        assertThat(body(mock)).isEqualTo(body(real));
    }

    @Test
    void apiKeyWhenScopeIsMissingThenProblemAsWithToken() throws Exception {
        MvcTestResult real = mvc.post()
                .uri("/orders")
                .header("X-API-Key", token("orders:read"))
                .exchange();
        MvcTestResult mock =
                mvc.post().uri("/orders").with(apiKey().scopes("orders:read")).exchange();

        assertThat(mock)
                .hasStatus(403)
                .hasContentTypeCompatibleWith("application/problem+json")
                .bodyJson()
                .extractingPath("$.code")
                .isEqualTo("api-key/insufficient-scope");
        assertThat(body(mock)).isEqualTo(body(real));
    }

    @Test
    void apiKeyWhenPostThenNeedsNoCsrfTokenOrSession() {
        assertThat(mvc.post().uri("/orders").with(apiKey().scopes("orders:write")))
                .hasStatusOk()
                .hasBodyTextEqualTo("user")
                .satisfies(result ->
                        assertThat(result.getRequest().getSession(false)).isNull());
    }

    @Test
    void apiKeyThenHasWhatIsSet() {
        assertThat(mvc.get()
                        .uri("/key")
                        .with(apiKey().id("00112233")
                                .namespace("test")
                                .ownerId("shop-7")
                                .name("CI")
                                .scopes("orders:read")
                                .metadata(Collections.singletonMap("plan", null))))
                .hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"id":"00112233","namespace":"test","ownerId":"shop-7","name":"CI","scopes":["orders:read"],
                         "metadata":{"plan":null}}""");
    }

    @Test
    void apiKeyWhenKeyIsGivenThenIsThatKey() {
        ApiKey key = registry.verify(token("orders:read")).orElseThrow();

        assertThat(mvc.get().uri("/orders").with(apiKey(key)))
                .hasStatusOk()
                .bodyJson()
                .isStrictlyEqualTo("[\"shop-7\",\"live\"]");
    }

    @Test
    @WithMockUser("someone")
    void apiKeyWhenUserIsMockedTooThenReplacesUser() {
        assertThat(mvc.get().uri("/caller").with(apiKey().ownerId("shop-7")))
                .bodyJson()
                .extractingPath("$.name")
                .isEqualTo("shop-7");
    }

    @Test
    void apiKeyWhenUserIsOnRequestThenReplacesUser() {
        assertThat(mvc.get().uri("/caller").with(user("admin")).with(apiKey().ownerId("shop-7")))
                .bodyJson()
                .extractingPath("$.name")
                .isEqualTo("shop-7");
    }

    private static String body(MvcTestResult result) throws Exception {
        return result.getResponse().getContentAsString(UTF_8);
    }
}
