package io.credential.spring.test.shop;

import java.util.Map;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.WebhookDispatcher;

/** A service with a scope, which tells others what it does. */
@Service
class Orders {

    private final WebhookDispatcher dispatcher;

    Orders(WebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @RequiresScope("orders:ship")
    @Transactional
    public void ship(String id) {
        dispatcher.dispatch("order.shipped", Map.of("id", id));
    }
}
