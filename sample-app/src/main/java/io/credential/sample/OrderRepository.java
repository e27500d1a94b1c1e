package io.credential.sample;

import java.util.List;

import org.springframework.data.repository.Repository;

/** The orders, in a table of the application's own, on PostgreSQL and SQLite. */
interface OrderRepository extends Repository<Order, String> {

    Order save(Order order);

    List<Order> findFirst1000ByOrderByCreatedAtDescIdDesc();
}
