package io.credential.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.benchmarks.node.NodeKeys;
import io.credential.internal.cluster.LeaseLeadership;
import io.credential.internal.cluster.LeaseSettings;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;

/**
 * A node of the cluster, configured as the starter does. Arguments: its name, the URL of the database, the seal and the
 * index key as hex, and, to cache accepted keys, for how long. Prints a port, answers requests there line by line, one
 * connection per client, and ends when its standard input does, so that it never outlives the harness.
 */
final class ClusterNode {

    static final String STATUS = "status";
    static final String LEADER = "leader";
    static final String FOLLOWER = "follower";

    /** Answers to requests, followed by details. */
    static final String YES = "yes";

    static final String NO = "no";
    static final String REFUSED = "refused";

    /** Follows {@link #YES} if a key was accepted without access to the database. */
    static final String CACHED = "cached";

    /** The default of the starter. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final String NAMESPACE = "faults";
    private static final int CACHED_KEYS = 1000;
    private static final int BACKLOG = 50;

    private final ApiKeyRegistry registry;
    private final LeaseLeadership leadership;
    private final BorrowedConnections connections;

    private ClusterNode(ApiKeyRegistry registry, LeaseLeadership leadership, BorrowedConnections connections) {
        this.registry = registry;
        this.leadership = leadership;
        this.connections = connections;
    }

    public static void main(String[] arguments) throws IOException {
        String name = arguments[0];
        SecureRandom random = new SecureRandom();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[1]);
        config.addDataSourceProperty("ApplicationName", name); // The trigger of the write log reads it.
        try (HikariDataSource pool = new HikariDataSource(config)) {
            BorrowedConnections connections = new BorrowedConnections(pool);
            CredentialDatabase database = CredentialDatabase.of(connections);
            Keyring keyring = NodeKeys.keyring(arguments[2], arguments[3]);
            try (PostgresNotifications notifications = new PostgresNotifications(
                            database, new DriverManagerDataSource(arguments[1]), System::nanoTime, random);
                    LeaseLeadership leadership = new LeaseLeadership(
                            database,
                            keyring,
                            new LeaseSettings(name, null, LEASE),
                            System::nanoTime,
                            random,
                            notifications,
                            epoch -> {});
                    JdbcApiKeyRegistries registries = registries(
                            JdbcApiKeyRegistries.builder(database, keyring)
                                    .registry(ApiKeyRegistryOptions.forNamespace(NAMESPACE))
                                    .leadership(leadership)
                                    .notifications(notifications)
                                    .random(random),
                            arguments)) {
                notifications.start();
                leadership.start();
                registries.start();
                new ClusterNode(registries.get(NAMESPACE), leadership, connections).serveUntilInputEnds();
            }
        }
    }

    private static JdbcApiKeyRegistries registries(JdbcApiKeyRegistries.Builder builder, String[] arguments) {
        return arguments.length <= 4
                ? builder.build()
                : builder.cache(new CacheSettings(CACHED_KEYS, Duration.parse(arguments[4])))
                        .build();
    }

    private void serveUntilInputEnds() throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "client");
            thread.setDaemon(true);
            return thread;
        });
        try (ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> accept(listening, threads));
            System.out.println(listening.getLocalPort());
            System.in.transferTo(OutputStream.nullOutputStream());
        } finally {
            threads.shutdownNow();
        }
    }

    private void accept(ServerSocket listening, ExecutorService threads) {
        try {
            while (true) {
                Socket client = listening.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // The node ends.
        }
    }

    private void serve(Socket client) {
        try (client) {
            BufferedReader requests =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            OutputStream answers = client.getOutputStream();
            for (String request = requests.readLine(); request != null; request = requests.readLine()) {
                answers.write((answer(request) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private String answer(String request) {
        int space = request.indexOf(' ');
        String verb = space < 0 ? request : request.substring(0, space);
        try {
            if (verb.equals(STATUS)) {
                return leadership.isLeader() ? LEADER : FOLLOWER;
            }
            return answer(Operation.valueOf(verb), request.substring(space + 1));
        } catch (ApiKeyException e) {
            return REFUSED + " " + e.code();
        } catch (RuntimeException e) {
            return REFUSED + " " + e.getClass().getName(); // Not a specified error; the checker reports it.
        }
    }

    private String answer(Operation operation, String argument) {
        return switch (operation) {
            case ISSUE -> {
                IssuedApiKey issued = registry.issue(IssueRequest.forOwner("owner"));
                yield YES + " " + issued.id() + " " + issued.key();
            }
            case VERIFY -> verify(argument);
            case REVOKE -> registry.revoke(argument) ? YES : NO;
            case ROTATE ->
                YES + " " + argument + " "
                        + registry.rotate(argument, Rotation.immediate()).key();
        };
    }

    private String verify(String token) {
        long before = connections.ofThisThread();
        if (registry.verify(token).isEmpty()) {
            return NO;
        }
        return connections.ofThisThread() == before ? YES + " " + CACHED : YES;
    }
}
