package io.credential.spring.test.shop;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice of an application whose nodes share rate limits in Redis. */
@WebMvcTest
@AutoConfigureInMemoryCredential
@TestPropertySource(properties = "credential.api-keys.rate-limits.store=redis")
class SharedRateLimitsTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private ApiKeyRegistry registry;

    @Test
    void keyWhenLimitsAreInRedisThenCountedInMemory() {
        String token = registry.issue(IssueRequest.forOwner("shop-7").scopes("orders:read"))
                .key();

        assertThat(mvc.get().uri("/orders").header("X-API-Key", token)).hasStatusOk();
    }
}
