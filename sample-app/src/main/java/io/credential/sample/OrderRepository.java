package io.credential.sample;

import java.util.List;

import org.springframework.data.repository.Repository;

/** Stores orders in a table of the application, on PostgreSQL and SQLite. */
interface OrderRepository extends Repository<Order, String> {

    Order save(Order order);

    List<Order> findFirst1000ByOrderByCreatedAtDescIdDesc();
}
