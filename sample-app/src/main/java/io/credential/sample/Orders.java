package io.credential.sample;

import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

import org.springframework.context.annotation.Bean;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Accepts orders and informs subscribers. */
@Service
class Orders {

    private final OrderRepository repository;
    private final InstantSource clock;
    private final WebhookDispatcher dispatcher;

    Orders(OrderRepository repository, InstantSource clock, WebhookDispatcher dispatcher) {
        this.repository = repository;
        this.clock = clock;
        this.dispatcher = dispatcher;
    }

    /** Stores an order and its event in one transaction. */
    @Transactional
    Order place(String item) {
        Order order = repository.save(new Order(null, item, clock.millis()));
        // All endpoints belong to partners of the shop, who may see each order: an order has no customer whose data
        // must be kept from the others.
        dispatcher.dispatch(OrderCreated.of(order), DispatchOptions.none().toEveryAudience());
        return order;
    }

    /** Returns the newest orders first, at most 1000. */
    List<Order> newest() {
        return repository.findFirst1000ByOrderByCreatedAtDescIdDesc();
    }

    /** An order without an id is new to Spring Data, which inserts it. */
    @Bean
    static BeforeConvertCallback<Order> orderIds() {
        return order ->
                order.id() == null ? new Order(UUID.randomUUID().toString(), order.item(), order.createdAt()) : order;
    }
}
