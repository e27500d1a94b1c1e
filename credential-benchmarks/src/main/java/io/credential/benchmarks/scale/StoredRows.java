package io.credential.benchmarks.scale;

import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;

/**
 * Fills the tables by a few statements, with rows in the form in which they are stored. Works on PostgreSQL and SQLite.
 *
 * @param randomHex an expression for 32 random hexadecimal digits
 * @param timeHex an expression that formats the column {@code t} as 12 hexadecimal digits
 * @param payload an expression for a payload of {@code :bytes} bytes
 * @param analyze prepares the tables for queries
 */
public record StoredRows(String randomHex, String timeHex, String payload, String analyze) {

    public static final StoredRows POSTGRES = new StoredRows(
            "replace(cast(gen_random_uuid() as text), '-', '')",
            "lpad(to_hex(t), 12, '0')",
            "convert_to('\"' || repeat('x', :bytes - 2) || '\"', 'UTF8')",
            "vacuum analyze");
    public static final StoredRows SQLITE = new StoredRows(
            "lower(hex(randomblob(16)))",
            "printf('%012x', t)",
            "cast('\"' || replace(hex(zeroblob(:bytes / 2 - 1)), '0', 'x') || '\"' as blob)",
            "analyze");

    public static final int ENDPOINTS = 10;
    static final int PAYLOAD_BYTES = 256;

    /** Of the log. */
    public static final int LOGGED_ENDPOINTS = 1000;

    private static final int LOGGED_PAYLOAD_BYTES = 200;

    private static final Map<String, String> TYPED = Map.of("event_type", "'event-' || (i % " + ENDPOINTS + ")");

    private static final Map<String, String> SEARCHED = Map.of(
            "event_type", "'stored-' || (i % 20)",
            "audience", "'tenant-' || (i % 100)",
            "idempotency_key", "'key-' || i");

    private static final long HISTORY_MILLIS = 30L * 24 * 60 * 60 * 1000;

    private static final String NUMBERS = """
            with recursive n (i) as (select 1 union all select i + 1 from n where i < :rows)
            """;

    /** Of each hundred, one is dead. */
    private static final String HISTORY = """
            insert into _credential_webhook_deliveries
                (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, claim_token, delivered_at, dead_at,
                 response_status, last_error, created_at)
            select substr(event_id, 1, 24) || '00000000', event_id, replace(event_type, 'event', 'endpoint'),
                case when i % 100 = 0 then 'dead' else 'delivered' end, case when i % 100 = 0 then 8 else 1 end,
                created_at, i, case when i % 100 <> 0 then created_at + 40 end,
                case when i % 100 = 0 then created_at + 600000 end, case when i % 100 = 0 then 503 else 200 end,
                case when i % 100 = 0 then 'HTTP 503' end, created_at
            from (select event_id, event_type, created_at, row_number() over (order by event_id) as i
                  from _credential_webhook_events) e""";

    private static final String ATTEMPTS = """
            insert into _credential_webhook_attempts
                (delivery_id, claim_token, attempt, started_at, duration, request_headers, response_status, error,
                 response_body)
            select delivery_id, claim_token, attempts, created_at, 38,
                'Content-Type: application/json' || char_10 || 'User-Agent: credential/0.1.0' || char_10
                    || 'X-Webhook-Delivery-Id: ' || delivery_id || char_10 || 'X-Webhook-Event-Id: ' || event_id || char_10
                    || 'X-Webhook-Event-Type: ' || replace(endpoint_id, 'endpoint', 'event') || char_10
                    || 'X-Webhook-Attempt: 1' || char_10 || 'Webhook-Signature: v1=***',
                response_status, last_error, 'accepted'
            from _credential_webhook_deliveries, (select '\n' as char_10) c""";

    private static final String BACKLOG = """
            with stored as ({insertion} returning event_id, created_at)
            insert into _credential_webhook_deliveries
                (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, created_at)
            select substr(event_id, 1, 24) || lpad(to_hex(m), 8, '0'), event_id, 'endpoint-' || (i * :each + m) % :endpoints,
                'pending', 0, created_at, created_at
            from (select event_id, created_at, row_number() over (order by event_id) as i from stored) e,
                generate_series(0, :each - 1) m""";

    /** One in a hundred is pending and not due, one in twenty dead. */
    private static final String LOG = """
            insert into _credential_webhook_deliveries
                (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at, delivered_at, dead_at,
                 response_status, last_error, created_at)
            select substr(event_id, 1, 24) || '0000000' || m, event_id, 'stored-' || (i % :endpoints), audience,
                case when i % 100 = 0 then 'pending' when i % 20 = 1 then 'dead' else 'delivered' end,
                case when i % 20 = 1 then 8 else 1 end,
                case when i % 100 = 0 then created_at + 2678400000 else created_at end,
                case when i % 100 <> 0 and i % 20 <> 1 then created_at + 100 end,
                case when i % 20 = 1 then created_at + 600000 end,
                case when i % 20 = 1 then 503 when i % 100 = 0 then 500 else 200 end,
                case when i % 20 = 1 then 'HTTP 503' when i % 100 = 0 then 'HTTP 500' end, created_at
            from (select event_id, audience, created_at, row_number() over (order by event_id) as i
                  from _credential_webhook_events) e, (select 1 as m union all select 2) n""";

    /** Stores events of the last 30 days that were delivered once each to one of ten endpoints, with their attempts. */
    void history(BenchmarkDatabase database, int rows) {
        insert(database, insertion(TYPED), rows, PAYLOAD_BYTES, HISTORY_MILLIS).update();
        JdbcClient client = JdbcClient.create(database.control());
        client.sql(HISTORY).update();
        client.sql(ATTEMPTS).update();
    }

    /**
     * Stores events of the last 30 days with two deliveries each, to the endpoints {@code stored-0} and so on, which differ in
     * all that is searched for. Attempts are missing. Nothing becomes due.
     */
    public void log(BenchmarkDatabase database, int events) {
        insert(database, insertion(SEARCHED), events, LOGGED_PAYLOAD_BYTES, HISTORY_MILLIS)
                .update();
        JdbcClient.create(database.control())
                .sql(LOG)
                .param("endpoints", LOGGED_ENDPOINTS)
                .update();
        analyze(database);
    }

    /** Stores pending deliveries of new events of the last minute, on PostgreSQL. */
    public static void backlog(
            BenchmarkDatabase database, int events, int deliveriesPerEvent, int endpoints, int payloadBytes) {
        insert(database, BACKLOG.replace("{insertion}", POSTGRES.insertion(TYPED)), events, payloadBytes, 60_000)
                .param("each", deliveriesPerEvent)
                .param("endpoints", endpoints)
                .update();
        POSTGRES.analyze(database);
    }

    private static JdbcClient.StatementSpec insert(
            BenchmarkDatabase database, String insertion, int rows, int payloadBytes, long spanMillis) {
        return JdbcClient.create(database.control())
                .sql(insertion)
                .param("rows", rows)
                .param("start", System.currentTimeMillis() - spanMillis)
                .param("span", spanMillis)
                .param("bytes", payloadBytes);
    }

    /** @param columns with their values for the event with the number {@code i} */
    private String insertion(Map<String, String> columns) {
        return """
                insert into _credential_webhook_events (event_id, payload, created_at, %s)
                %s
                select %s || substr(%s, 1, 20), %s, t, %s
                from (select i, :start + i * :span / :rows as t from n) e""".formatted(
                        String.join(", ", columns.keySet()),
                        NUMBERS,
                        timeHex,
                        randomHex,
                        payload,
                        String.join(", ", columns.values()));
    }

    /** Stores keys that nobody has, with cells as long as those of an issued key. */
    void keys(BenchmarkDatabase database, int rows, String likeId) {
        JdbcClient.create(database.control())
                .sql("""
                insert into _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata, details,
                    secret_hash, created_at, expires_at, version, last_used_at, row_mac)
                %s
                select k.namespace, substr(%s, 1, 16), k.prefix, substr(%s, 1, 32) || substr(k.owner_id_hash, 33), k.owner_id,
                    k.scopes, k.metadata, k.details, k.secret_hash, k.created_at - i, k.expires_at, k.version, k.created_at,
                    k.row_mac
                from n, (select * from _credential_api_keys where id = :like) k""".formatted(NUMBERS, randomHex, randomHex))
                .param("rows", rows)
                .param("like", likeId)
                .update();
    }

    void analyze(BenchmarkDatabase database) {
        JdbcClient.create(database.control()).sql(analyze).update();
    }
}
