package io.credential.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import io.credential.spring.test.WebhookEventContract;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.webhook.event.WebhookEventCatalog;

/** Receivers rely on the committed schema. */
@SpringBootTest
@AutoConfigureInMemoryCredential
class OrderEventTests {

    @Autowired
    private WebhookEventCatalog catalog;

    @Test
    void eventsThenKeepTheirContract() {
        WebhookEventContract.of(Path.of("src/test/resources/webhook-events.json"))
                .assertKeptBy(catalog);
    }
}
