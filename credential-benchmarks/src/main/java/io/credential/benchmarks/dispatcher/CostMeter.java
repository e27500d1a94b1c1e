package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Counts the costs of deliveries in turns that are not timed. On PostgreSQL: statements without begin and commit,
 * transactions that wrote, and bytes of WAL. On JDK 21 and recent updates of JDK 17: bytes that the JVM allocated.
 */
final class CostMeter {

    /** Transactions that only read have no transaction id. */
    private static final String COUNTERS = """
            select (select coalesce(sum(calls), 0) from pg_stat_statements) as "statements",
                   cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint) as "commits",
                   pg_current_wal_insert_lsn() - '0/0' as "WAL bytes\"""";

    private final BenchmarkDatabase database;
    private final boolean postgres;
    private final MBeanServerConnection jvm;

    /** @param jvm the JVM that delivers */
    CostMeter(BenchmarkDatabase database, MBeanServerConnection jvm) {
        this.database = database;
        this.postgres = database.open().dialect() == SqlDialect.POSTGRESQL;
        this.jvm = jvm;
    }

    /** Runs a turn and describes the costs of one of its deliveries. */
    String perDelivery(int deliveries, Callable<?> turn) throws Exception {
        if (postgres) {
            database.countStatements(true);
        }
        Map<String, Long> before = counters();
        turn.call();
        Map<String, Long> costs = counters();
        costs.replaceAll((name, after) -> after - before.getOrDefault(name, 0L));
        if (postgres) {
            database.countStatements(false);
        }
        return costs.entrySet().stream()
                .map(cost -> format((double) cost.getValue() / deliveries) + " " + cost.getKey())
                .collect(Collectors.joining());
    }

    private static String format(double cost) {
        return (cost < 100 ? "%10.4f" : "%,10.0f").formatted(cost);
    }

    private Map<String, Long> counters() throws IOException, JMException {
        Map<String, Long> counters = new LinkedHashMap<>();
        if (postgres) {
            JdbcClient.create(database.control())
                    .sql(COUNTERS)
                    .query()
                    .singleRow()
                    .forEach((name, value) -> counters.put(name, ((Number) value).longValue()));
        }
        try {
            counters.put("allocated bytes", (Long) jvm.getAttribute(
                    new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "TotalThreadAllocatedBytes"));
        } catch (AttributeNotFoundException e) {
            // An older JDK.
        }
        return counters;
    }
}
