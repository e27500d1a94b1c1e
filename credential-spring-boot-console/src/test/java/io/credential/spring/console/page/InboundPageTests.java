package io.credential.spring.console.page;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/** What operators see of incoming webhooks. */
@PageTest
class InboundPageTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private final MockMvc mvc;
    private final ConsoleVisitor viewer;

    InboundPageTests(@Autowired MockMvc mvc) {
        this.mvc = mvc;
        this.viewer = ConsoleVisitor.viewer(mvc);
    }

    @Test
    void showThenCountsRequestsAndNonces() throws Exception {
        assertThat(viewer.open("inbound").text())
                .contains("partner /hooks/partner /hooks/more hmac-sha3-512 jdbc 0 –", "The database holds 0 nonces");
        MockHttpServletRequestBuilder signed = post("/hooks/partner").content(BODY);
        WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET.getBytes(UTF_8))
                .build()
                .sign(BODY)
                .headers()
                .forEach(signed::header);

        mvc.perform(signed);
        mvc.perform(signed);
        mvc.perform(post("/hooks/partner").content(BODY));

        ConsoleVisitor.Answer page = viewer.open("inbound");
        assertThat(page.text())
                .contains("jdbc 1 ", "1 × webhook/replay", "1 × webhook/missing-header", "The database holds 1 nonces");
        assertThat(page.html()).doesNotContain(SECRET, "method=\"post\"");
    }
}
