package io.credential.spring.security;

import org.junit.jupiter.api.Test;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** {@code credential.api-keys.header-name}. */
class ApiKeyHeaderNameTests {

    @Test
    void getWhenKeyIsInTheConfiguredHeaderThenOk() {
        try (HostApplication application =
                HostApplication.start(ZeroCodeTests.Host.class, "credential.api-keys.header-name=X-Token")) {
            application.registries().issue("live", "orders:read");

            assertThat(application.get("/whoami", "X-Token", token("live")).statusCode())
                    .isEqualTo(200);
            assertThat(application.get("/whoami", "X-API-Key", token("live")).statusCode())
                    .isNotEqualTo(200);
        }
    }
}
