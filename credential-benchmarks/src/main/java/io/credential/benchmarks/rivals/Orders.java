package io.credential.benchmarks.rivals;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions of the application: each inserts a row and publishes events. Thread-safe. */
final class Orders {

    static final String EVENT_TYPE = "order.placed";

    /** A JSON document of 1 KiB. */
    static final String BODY = "{\"item\":\"" + "x".repeat(1024 - "{\"item\":\"\"}".length()) + "\"}";

    static final String TABLE = "create table orders (id bigserial primary key, item text not null)";
    static final String ITEM = "kettle";

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    Orders(DataSource dataSource, PlatformTransactionManager manager) {
        this.jdbc = JdbcClient.create(dataSource);
        this.transactions = new TransactionTemplate(manager);
        jdbc.sql(TABLE).update();
    }

    /** @param publish runs this many times, in the transaction of the row */
    void place(int events, Runnable publish) {
        transactions.executeWithoutResult(status -> {
            jdbc.sql("insert into orders (item) values (:item)")
                    .param("item", ITEM)
                    .update();
            for (int i = 0; i < events; i++) {
                publish.run();
            }
        });
    }
}
