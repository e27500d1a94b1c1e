package io.credential.benchmarks.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.benchmarks.node.NodeKeys;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * A node that attempts deliveries, with the defaults of the starter. Arguments: the URL of the database, and the seal and the
 * index key as hex. For each line of standard input, it prints how many bytes of the heap remain in use after a garbage
 * collection; it ends when its standard input does.
 */
final class HeapNode {

    private HeapNode() {}

    public static void main(String[] arguments) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        try (HikariDataSource pool = new HikariDataSource(config);
                PolledDispatcher dispatcher = new PolledDispatcher(Hosts.known(JdbcWebhookDispatcher.builder(
                                CredentialDatabase.of(pool), NodeKeys.keyring(arguments[1], arguments[2])))
                        .build());
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            dispatcher.start();
            while (commands.readLine() != null) {
                System.gc();
                System.out.println(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }
    }
}
