package io.credential.benchmarks.takeover;

import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.benchmarks.node.NodeKeys;
import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/**
 * A node that attempts deliveries, with the defaults of the starter. Arguments: its name, the URL of the database, and the
 * seal and the index key as hex. Each request carries its name. Prints 0 once it works, because it has no port, and ends
 * when its standard input does.
 */
final class DispatcherNode {

    static final String NAME_HEADER = "Benchmark-Node";

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private DispatcherNode() {}

    public static void main(String[] arguments) throws IOException {
        SecureRandom random = new SecureRandom();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[1]);
        try (HikariDataSource pool = new HikariDataSource(config);
                HttpWebhookTransport transport = HttpWebhookTransport.builder().build()) {
            CredentialDatabase database = CredentialDatabase.of(pool);
            try (PostgresNotifications notifications = new PostgresNotifications(
                            database, new DriverManagerDataSource(arguments[1]), System::nanoTime, random);
                    JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(
                                    database, NodeKeys.keyring(arguments[2], arguments[3]))
                            .random(random)
                            .destinationPolicy(policy())
                            .transport(request -> transport.send(named(arguments[0], request)))
                            .notifications(notifications)
                            .build()) {
                notifications.start();
                dispatcher.start();
                OwnedSchedule polls = new OwnedSchedule("benchmark-poll", GRACE, dispatcher::poll);
                polls.start(POLL_INTERVAL, POLL_INTERVAL);
                System.out.println(0);
                System.in.transferTo(OutputStream.nullOutputStream());
                polls.stop();
            }
        }
    }

    static DestinationPolicy policy() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }

    private static WebhookRequest named(String name, WebhookRequest request) {
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put(NAME_HEADER, name);
        return new WebhookRequest(request.destination(), headers, request.body(), request.timeout());
    }
}
