package io.credential.benchmarks.dispatcher;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;

/**
 * What PostgreSQL reports about the dispatcher's tables.
 *
 * @param deliveriesBytes the size of the deliveries with their indexes
 * @param eventsBytes the size of the events with their payloads and indexes
 * @param attemptsBytes the size of the attempts with their indexes
 * @param openIndexBytes the size of the index that claims use
 * @param live deliveries that are stored, as the statistics estimate
 * @param dead versions of deliveries that vacuum has not removed, as the statistics estimate
 * @param updates how often a delivery was updated
 * @param hotUpdates how many of these updates touched no index
 * @param vacuums how often autovacuum has vacuumed the deliveries
 * @param walBytes the write-ahead log so far
 * @param open deliveries that are neither delivered nor dead
 */
record StorageSample(
        long deliveriesBytes,
        long eventsBytes,
        long attemptsBytes,
        long openIndexBytes,
        long live,
        long dead,
        long updates,
        long hotUpdates,
        long vacuums,
        long walBytes,
        long open) {

    private static final String READ = """
            select pg_total_relation_size('_credential_webhook_deliveries') as deliveries_bytes,
                   pg_total_relation_size('_credential_webhook_events') as events_bytes,
                   pg_total_relation_size('_credential_webhook_attempts') as attempts_bytes,
                   pg_relation_size('_credential_webhook_deliveries_open') as open_index_bytes,
                   n_live_tup as live, n_dead_tup as dead, n_tup_upd as updates, n_tup_hot_upd as hot_updates,
                   autovacuum_count as vacuums,
                   cast(pg_current_wal_insert_lsn() - '0/0' as bigint) as wal_bytes,
                   (select count(*) from _credential_webhook_deliveries
                    where delivered_at is null and dead_at is null) as open
            from pg_stat_user_tables where relname = '_credential_webhook_deliveries'""";

    static StorageSample read(BenchmarkDatabase database) {
        return JdbcClient.create(database.control())
                .sql(READ)
                .query(StorageSample.class)
                .single();
    }

    long allBytes() {
        return deliveriesBytes + eventsBytes + attemptsBytes;
    }
}
