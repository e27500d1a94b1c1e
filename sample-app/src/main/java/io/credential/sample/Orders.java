package io.credential.sample;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import io.credential.webhook.delivery.WebhookDispatcher;

/** The orders, in a table of the application's own; one set of SQL for PostgreSQL and SQLite. */
@Repository
class Orders {

    private static final int LIST_LIMIT = 1000;

    private final JdbcClient jdbc;
    private final InstantSource clock;
    private final WebhookDispatcher dispatcher;

    Orders(JdbcClient jdbc, InstantSource clock, WebhookDispatcher dispatcher) {
        this.jdbc = jdbc;
        this.clock = clock;
        this.dispatcher = dispatcher;
    }

    /** Stores an order together with the event that tells of it: neither is there without the other. */
    @Transactional
    Order place(String item) {
        Order order = new Order(UUID.randomUUID().toString(), item, Instant.ofEpochMilli(clock.millis()));
        jdbc.sql("insert into orders (id, item, created_at) values (:id, :item, :createdAt)")
                .param("id", order.id())
                .param("item", order.item())
                .param("createdAt", order.createdAt().toEpochMilli())
                .update();
        dispatcher.dispatch("order.created", OrderCreated.of(order));
        return order;
    }

    /** The newest orders first, at most {@value #LIST_LIMIT}. */
    List<Order> newest() {
        return jdbc.sql("select id, item, created_at from orders order by created_at desc, id desc limit :limit")
                .param("limit", LIST_LIMIT)
                .query((row, number) -> new Order(
                        row.getString("id"), row.getString("item"), Instant.ofEpochMilli(row.getLong("created_at"))))
                .list();
    }

    /**
     * What subscribers of {@code order.created} get.
     *
     * @param createdAt in unix milliseconds
     */
    record OrderCreated(String id, String item, long createdAt) {

        static OrderCreated of(Order order) {
            return new OrderCreated(order.id(), order.item(), order.createdAt().toEpochMilli());
        }
    }
}
