package io.credential.spring.security;

import org.junit.jupiter.api.Test;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** {@code credential.api-keys.header-name}. */
class ApiKeyHeaderNameTests {

    @Test
    void getWhenKeyIsInTheConfiguredHeaderThenOk() {
        try (HostApplication application = HostApplication.start(
                ZeroCodeTests.Host.class, "credential.api-keys.header-name=X-Token, X-Old-Token")) {
            application.registries().issue("live", "orders:read");

            assertThat(application.get("/whoami", "X-Token", token("live")).statusCode())
                    .isEqualTo(200);
            assertThat(application.get("/whoami", "X-Old-Token", token("live")).statusCode())
                    .isEqualTo(200);
            assertThat(application.get("/whoami", "X-Old-Token", "wrong").body())
                    .contains("in the header X-Token or X-Old-Token");
            assertThat(application
                            .get("/whoami", "X-Token", token("live"), "X-Old-Token", token("live"))
                            .statusCode())
                    .as("two keys, even the same")
                    .isEqualTo(401);
            assertThat(application.get("/whoami", "X-API-Key", token("live")).statusCode())
                    .isNotEqualTo(200);
        }
    }
}
