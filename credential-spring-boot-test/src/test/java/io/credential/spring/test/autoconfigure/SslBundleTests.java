package io.credential.spring.test.autoconfigure;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** A context without other auto-configurations, whose dispatcher sends with an SSL bundle. */
@SpringJUnitConfig
@AutoConfigureInMemoryCredential
@TestPropertySource(
        properties = {
            "credential.webhook.dispatcher.ssl-bundle=partner",
            "spring.ssl.bundle.pem.partner.options.enabled-protocols=TLSv1.3"
        })
class SslBundleTests {

    @Autowired
    private WebhookDispatcher dispatcher;

    @Test
    void dispatcherWhenItHasAnSslBundleThenExists() {
        assertThat(dispatcher.listEndpoints()).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}
}
