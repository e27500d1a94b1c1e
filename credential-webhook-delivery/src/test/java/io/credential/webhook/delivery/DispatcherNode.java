package io.credential.webhook.delivery;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.http.DestinationPolicy;

/**
 * A process that delivers in the background until its standard input ends. Arguments: the URL of the database, the key
 * as hex, and options as {@code name=value}.
 */
public final class DispatcherNode {

    static final String STARTED = "node started";

    /** So late that no test waits for it: what a node leaves behind is taken over because its lease ends. */
    private static final String RECLAIM_AFTER = "PT12H";

    private static final String SQLITE = "jdbc:sqlite:";

    private DispatcherNode() {}

    public static void main(String[] arguments) throws IOException {
        run(arguments, UnaryOperator.identity(), dispatcher -> {});
    }

    /** Runs a node with additional options; it does additional work once it has started. */
    public static void run(
            String[] arguments,
            UnaryOperator<JdbcWebhookDispatcherBuilder> options,
            Consumer<JdbcWebhookDispatcher> work)
            throws IOException {
        try (HikariDataSource pool = pool(arguments[0]);
                PostgresNotifications notifications = notifications(pool, arguments);
                JdbcWebhookDispatcher dispatcher = started(options.apply(
                        builder(CredentialDatabase.of(pool), arguments).notifications(orNone(notifications))))) {
            Polling polling = new Polling(dispatcher, pollInterval(arguments));
            System.out.println(STARTED);
            work.accept(dispatcher);
            System.in.transferTo(System.out);
            polling.close();
        }
    }

    /** Notifications that arrive already; null unless the arguments ask for them. */
    private static @Nullable PostgresNotifications notifications(HikariDataSource pool, String... arguments) {
        if (!Boolean.parseBoolean(options(arguments).get("notifications"))) {
            return null;
        }
        PostgresNotifications notifications = new PostgresNotifications(
                CredentialDatabase.of(pool),
                new DriverManagerDataSource(arguments[0]),
                System::nanoTime,
                new SecureRandom());
        notifications.start();
        Patience.until(notifications::isListening);
        return notifications;
    }

    private static NodeNotifications orNone(@Nullable NodeNotifications notifications) {
        return notifications == null ? NodeNotifications.none() : notifications;
    }

    /** A dispatcher that works in the background. */
    public static JdbcWebhookDispatcher started(JdbcWebhookDispatcherBuilder options) {
        JdbcWebhookDispatcher dispatcher = options.build();
        dispatcher.start();
        return dispatcher;
    }

    public static HikariDataSource pool(String jdbcUrl) {
        if (jdbcUrl.startsWith(SQLITE)) {
            return SqliteDataSource.pooled(Path.of(jdbcUrl.substring(SQLITE.length())));
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    public static String[] arguments(String jdbcUrl, String key, String... options) {
        return Stream.concat(Stream.of(jdbcUrl, key), Arrays.stream(options)).toArray(String[]::new);
    }

    /** Builds the dispatcher that the arguments of a process ask for. */
    public static JdbcWebhookDispatcherBuilder builder(CredentialDatabase database, String... arguments) {
        Map<String, String> options = options(arguments);
        return JdbcWebhookDispatcher.builder(database, keyring(arguments[1]))
                .destinationPolicy(DestinationPolicy.builder()
                        .allowInternalDestinations(true)
                        .build())
                .clock(Clock.offset(Clock.systemUTC(), Duration.parse(options.getOrDefault("clockAhead", "PT0S"))))
                .requestTimeout(Duration.parse(options.getOrDefault("requestTimeout", "PT15S")))
                .maxAttempts(Integer.parseInt(options.getOrDefault("maxAttempts", "8")))
                .claimReclaimAfter(Duration.parse(options.getOrDefault("claimReclaimAfter", RECLAIM_AFTER)))
                .maxInFlight(Integer.parseInt(options.getOrDefault("maxInFlight", "256")))
                .maxInFlightPerEndpoint(Integer.parseInt(options.getOrDefault("maxInFlightPerEndpoint", "16")));
    }

    static Duration pollInterval(String... arguments) {
        return Duration.parse(options(arguments).getOrDefault("pollInterval", "PT0.5S"));
    }

    public static Map<String, String> options(String... arguments) {
        return Arrays.stream(arguments)
                .skip(2)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private static Keyring keyring(String key) {
        SecretBytes bytes = SecretBytes.copyOf(HexFormat.of().parseHex(key));
        return Keyring.of("k1", Map.of("k1", bytes), SecretBytes.copyOf(index(key)));
    }

    /** The index key must be another than the key. */
    private static byte[] index(String key) {
        byte[] bytes = HexFormat.of().parseHex(key);
        bytes[0] ^= 1;
        return bytes;
    }
}
