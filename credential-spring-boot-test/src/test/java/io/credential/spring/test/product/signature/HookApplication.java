package io.credential.spring.test.product.signature;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.webhook.signature.VerifiedWebhook;

/** Receives webhooks. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
class HookApplication {

    @PostMapping("/hooks/shop")
    String shop(VerifiedWebhook webhook) {
        return webhook.kid();
    }
}
