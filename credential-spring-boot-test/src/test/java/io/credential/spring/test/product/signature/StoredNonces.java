package io.credential.spring.test.product.signature;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.spring.test.product.Inspection;

import static io.credential.spring.test.CredentialRequestPostProcessors.signedWebhook;
import static org.assertj.core.api.Assertions.assertThat;

/** A receiver that stores nonces in its database. */
@WebMvcTest(
        properties = {
            "spring.config.name=none",
            "credential.webhook.inbound.shop.paths=/hooks/shop",
            "credential.webhook.inbound.shop.nonce-store=jdbc",
            "credential.webhook.inbound.shop.keys.v1=a secret of the tests"
        })
@ContextConfiguration(classes = HookApplication.class)
@AutoConfigureInMemoryCredential
@DirtiesContext
class StoredNonces implements Runnable {

    @Autowired
    private ApplicationContext application;

    @Autowired
    private MockMvcTester mvc;

    @Override
    public void run() {
        assertThat(mvc.post().uri("/hooks/shop").with(signedWebhook("shop").id("1")))
                .hasStatusOk();
        assertThat(mvc.post().uri("/hooks/shop").with(signedWebhook("shop").id("1")))
                .hasStatus(401);
        assertThat(Inspection.tables(application))
                .contains("_credential_nonces")
                .noneMatch(table -> table.matches(".*(api_keys|deliveries|endpoints).*"));
    }
}
