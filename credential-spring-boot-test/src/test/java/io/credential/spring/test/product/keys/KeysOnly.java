package io.credential.spring.test.product.keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.security.RequiresScope;
import io.credential.spring.test.InMemoryApiKeys;
import io.credential.spring.test.WithMockApiKey;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.spring.test.product.Inspection;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = {"spring.config.name=none", "credential.api-keys.registries.live.prefix=bk"})
@AutoConfigureMockMvc
@AutoConfigureInMemoryCredential
@WithMockApiKey(scopes = "orders:write")
@DirtiesContext
class KeysOnly implements Runnable {

    private static final IssueRequest READER = IssueRequest.forOwner("shop-7").scopes("orders:read");

    @Autowired
    private ApplicationContext application;

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private ApiKeyRegistry registry;

    @Autowired
    private Orders orders;

    @Override
    public void run() {
        assertThat(orders.place()).isEqualTo("placed");
        assertThat(mvc.get()
                        .uri("/orders")
                        .header("X-API-Key", registry.issue(READER).key()))
                .hasStatusOk();
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("orders:read")))
                .hasStatusOk();
        assertThat(mvc.get().uri("/orders").with(apiKey())).hasStatus(403);
        try (InMemoryApiKeys keys = InMemoryApiKeys.create()) {
            assertThat(keys.registry().verify(keys.registry().issue(READER).key()))
                    .isPresent();
        }
        assertThat(Inspection.beans(application))
                .noneMatch(bean -> bean.matches("(?i).*(webhook|dispatcher|egress).*"));
        assertThat(Inspection.tables(application))
                .contains("_credential_api_keys")
                .noneMatch(table -> table.contains("webhook"));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/orders")
        @RequiresScope("orders:read")
        String list(ApiKey caller) {
            return caller.ownerId();
        }

        @RequiresScope("orders:write")
        String place() {
            return "placed";
        }
    }
}
