package io.credential.spring.autoconfigure.event.shop;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

import io.credential.webhook.event.WebhookEvent;

/** An application with typed events in its packages. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class ShopEvents {

    @WebhookEvent("order.created")
    record OrderCreated(String orderId, Customer customer) {}

    record Customer(String fullName) {}

    public static Record sample() {
        return new OrderCreated("4711", new Customer("Ada"));
    }
}
