package io.credential.spring.console.page;

import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Endpoints and deliveries of the {@link PageApplication}, beginning with none. */
final class WebhookData {

    static final String HOST = "http://127.0.0.1";

    private static final List<String> TABLES =
            List.of("deliveries", "events", "attempts", "jobs", "job_items", "hourly_counts");

    private final WebhookDispatcher dispatcher;
    private final JdbcClient jdbc;

    private WebhookData(WebhookDispatcher dispatcher, JdbcClient jdbc) {
        this.dispatcher = dispatcher;
        this.jdbc = jdbc;
    }

    static WebhookData cleared(WebhookDispatcher dispatcher, DataSource dataSource) {
        WebhookData data = new WebhookData(dispatcher, JdbcClient.create(dataSource));
        dispatcher.listEndpoints().forEach(endpoint -> dispatcher.removeEndpoint(endpoint.endpointId()));
        TABLES.forEach(
                table -> data.sql("DELETE FROM _credential_webhook_" + table).update());
        return data;
    }

    JdbcClient.StatementSpec sql(String sql) {
        return jdbc.sql(sql);
    }

    /** Registers an endpoint that has the same audience. */
    void register(String endpoint, String path) {
        dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret(endpoint, HOST + path, List.of("*"))
                .audience(endpoint));
    }

    /** Sends an event to one endpoint. */
    Delivery send(String endpoint, String eventType) {
        return send(eventType, DispatchOptions.none().withAudience(endpoint));
    }

    Delivery send(String eventType, DispatchOptions options) {
        return dispatcher
                .dispatch(eventType, "{\"total\":42}", options)
                .deliveries()
                .get(0);
    }

    Delivery delivery(String id) {
        return dispatcher.deliveries().get(id).orElseThrow();
    }

    /** Lets a delivery be in flight on a node that does not exist. */
    void claim(String id) {
        sql("""
                UPDATE _credential_webhook_deliveries SET status = 'in-flight', delivered_at = NULL, dead_at = NULL,
                    claimed_at = :now, claim_token = 7, claim_owner = 'another' WHERE delivery_id = :id""").param("now", Instant.now().toEpochMilli()).param("id", id).update();
    }

    /** Stores this many deliveries of one event to an endpoint that does not exist, the newest of the log. */
    void store(int number, String endpoint, String status) {
        sql("""
                INSERT INTO _credential_webhook_events (event_id, event_type, payload, created_at)
                VALUES (printf('%012x%020x', 1800000000000, 0), 'stored', CAST('{}' AS BLOB), 1800000000000)""").update();
        sql("""
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)
                INSERT INTO _credential_webhook_deliveries (delivery_id, event_id, endpoint_id, status, attempts,
                    next_attempt_at, dead_at, created_at)
                SELECT printf('%012x%020x', 1800000000000, i), printf('%012x%020x', 1800000000000, 0), :endpoint,
                    :status, 1, 32503680000000, CASE :status WHEN 'dead' THEN 1800000000000 END, 1800000000000
                FROM n""")
                .param("number", number)
                .param("endpoint", endpoint)
                .param("status", status)
                .update();
    }
}
