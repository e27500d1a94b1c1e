package io.credential.host;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.security.RequiresScope;

/** Lists orders as the sample does. */
@RestController
class OrderController {

    private final JdbcClient jdbc;

    OrderController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/orders")
    @RequiresScope("orders:read")
    List<Order> list() {
        return jdbc.sql("select id, item, created_at from orders order by created_at desc, id desc limit 1000")
                .query((row, index) -> new Order(row.getString(1), row.getString(2), row.getLong(3)))
                .list();
    }

    /** @param createdAt in unix milliseconds */
    record Order(String id, String item, long createdAt) {}
}
