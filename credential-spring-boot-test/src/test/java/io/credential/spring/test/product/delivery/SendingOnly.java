package io.credential.spring.test.product.delivery;

import java.util.Map;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;

import io.credential.spring.test.InMemoryWebhooks;
import io.credential.spring.test.WebhookReceiver;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.spring.test.product.Inspection;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = "spring.config.name=none")
@AutoConfigureInMemoryCredential
@DirtiesContext
class SendingOnly implements Runnable {

    @Autowired
    private ApplicationContext application;

    @Autowired
    private WebhookDispatcher dispatcher;

    @Override
    public void run() {
        try (InMemoryWebhooks webhooks = InMemoryWebhooks.create()) {
            assertSends(dispatcher);
            assertSends(webhooks.dispatcher());
        }
        assertThat(Inspection.beans(application)).noneMatch(bean -> bean.matches("(?i).*(api_?key|registr).*"));
        assertThat(Inspection.tables(application))
                .contains("_credential_webhook_deliveries")
                .noneMatch(table -> table.contains("api_key"));
    }

    private static void assertSends(WebhookDispatcher dispatcher) {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            dispatcher.registerEndpoint(receiver.endpoint("shop-7", "order.created"));
            dispatcher.enqueue("order.created", Map.of("item", "kettle"));
            assertThat(receiver.awaitDelivery("order.created").body()).contains("kettle");
            receiver.assertNone(dispatcher, "order.shipped");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
