package io.credential.spring.autoconfigure.event.broken;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

import io.credential.webhook.event.WebhookEvent;

/** An application whose typed event is not a record. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class BrokenEvents {

    @WebhookEvent("order.created")
    interface OrderCreated {}
}
