package io.credential.sample;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static org.assertj.core.api.Assertions.assertThat;

/** The orders in a slice, as users of the starter can test their controllers. */
@WebMvcTest(OrderController.class)
@Import(SampleSecurity.class)
class OrderControllerTests {

    @Autowired
    private MockMvcTester mvc;

    @MockitoBean
    private Orders orders;

    @Test
    void listWhenKeyMayReadThenOk() {
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("orders:read")))
                .hasStatusOk()
                .hasBodyTextEqualTo("[]");
    }

    @Test
    void listWhenKeyMayNotReadThenForbidden() {
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("orders:write")))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.missingScopes")
                .asArray()
                .containsExactly("orders:read");
    }

    @Test
    void placeWhenItemIsMissingThenBadRequest() {
        assertThat(mvc.post()
                        .uri("/orders")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{}")
                        .with(apiKey().scopes("orders:write")))
                .hasStatus(400);
    }
}
