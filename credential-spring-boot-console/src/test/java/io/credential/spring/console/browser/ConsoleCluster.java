package io.credential.spring.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.internal.cluster.Leadership;
import io.credential.keyring.internal.KeyringFile;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Two nodes of a {@link ConsoleHost} on one PostgreSQL, which have elected the first. */
final class ConsoleCluster implements AutoCloseable {

    static final String LEADER = "first";

    static final String FOLLOWER = "second";

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final Path directory;
    private final WebhookReceiver receiver;
    private final ConfigurableApplicationContext leader;
    private final ConfigurableApplicationContext follower;
    private final ConsoleData data;

    ConsoleCluster() {
        try {
            directory = Files.createTempDirectory("credential-cluster");
            receiver = new WebhookReceiver();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // No node of a cluster makes a keyring.
        var unused = new KeyringGuard(database.database(), new SecureRandom(), Set.of(), () -> false, ring -> {})
                .open(new KeyringFile(directory.resolve("keyring.json"), false), true);
        leader = start(LEADER);
        Patience.until(leader.getBean(Leadership.class)::isLeader);
        // Nodes reject a clock that differs from that of the database, so this one is not theirs.
        data = new ConsoleData(
                leader.getBean(WebhookDispatcher.class), keys(), receiver, new MutableClock(Instant.EPOCH));
        follower = start(FOLLOWER);
    }

    private ConfigurableApplicationContext start(String node) {
        Map<String, Object> properties = RunningConsole.properties(Mount.ROOT, directory);
        properties.putAll(Map.of(
                "spring.datasource.url",
                database.jdbcUrl(),
                "credential.mode",
                "cluster",
                "credential.cluster.node-id",
                node,
                "credential.cluster.advertised-url",
                advertisedUrl(node),
                // Longer than a machine stands still, so that the first node leads until it is stopped.
                "credential.cluster.lease-duration",
                "5m"));
        return new SpringApplicationBuilder(ConsoleHost.class)
                .properties(properties)
                .run();
    }

    static String advertisedUrl(String node) {
        return "https://" + node + ".example.org/app";
    }

    /** Returns somebody who has logged in to the node that leads. */
    ConsoleClient atLeader(ConsoleUser user) {
        return at(leader, user);
    }

    /** Returns somebody who has logged in to the node that does not lead. */
    ConsoleClient atFollower(ConsoleUser user) {
        return at(follower, user);
    }

    private static ConsoleClient at(ConfigurableApplicationContext node, ConsoleUser user) {
        return new ConsoleClient("http://localhost:" + node.getEnvironment().getRequiredProperty("local.server.port"))
                .logIn(user);
    }

    ConsoleData data() {
        return data;
    }

    /** Returns the registry of the leader. */
    ApiKeyRegistry keys() {
        return leader.getBean(ApiKeyRegistries.class).get("live");
    }

    @Override
    public void close() throws IOException {
        follower.close();
        leader.close();
        receiver.close();
        database.close();
        FileSystemUtils.deleteRecursively(directory);
    }
}
