package io.credential.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes of this version run next to one of a newer version, which has migrated their tables. The newer version is this
 * one with further scripts, which add a column to every table that the nodes use, an index and a table. Each node is a
 * separate process.
 */
class RollingUpgradeIT {

    private static final Path NEWER_VERSION = Path.of("target/test-classes/newer-version");
    private static final String SECRET = "a secret of endpoint and sender";
    private static final int CALLERS = 2; // at each node
    private static final int ROUNDS = 20; // of all callers of a node

    @AutoClose
    private Partner partner;

    @AutoClose
    private PackagedCluster cluster;

    private final AtomicInteger events = new AtomicInteger();

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        partner = new Partner();
        cluster = new PackagedCluster(directory);
    }

    @AfterEach
    void everyEventIsDelivered() {
        Patience.untilAsserted(() -> {
            assertThat(count("_credential_webhook_deliveries where delivered_at is not null"))
                    .isEqualTo(events.get());
            assertThat(partner.webhooks("/orders")).hasSizeGreaterThanOrEqualTo(events.get());
        });
    }

    @Test
    void nodesWhenNewerMigratesThenKeepServing() throws Exception {
        PackagedSample leader = cluster.start("first").awaitStarted();
        PackagedSample follower = cluster.start("second").awaitStarted();
        registerEndpoint(leader);

        PackagedSample newer = callWhile(
                leader, follower, () -> cluster.start("third", NEWER_VERSION).awaitStarted());

        assertThat(newerScripts("_credential_schema_history")).isEqualTo(4);
        assertThat(newerScripts("_credential_webhook_schema_history")).isEqualTo(7);
        for (PackagedSample node : List.of(leader, follower, newer)) {
            serve(node, leader);
        }
    }

    @Test
    void nodeWhenRestartedOnNewerSchemaThenServes() {
        PackagedSample newer = cluster.start("first", NEWER_VERSION).awaitStarted();
        registerEndpoint(newer);
        Answer kept = issue(newer);

        PackagedSample older = cluster.start("second").awaitStarted();

        serve(older, newer);
        newer.stop();
        Patience.until(() ->
                cluster.admin(older).post("/keys", Map.of("ownerId", "user-1")).status() == 201);
        serve(older, older);
        rotateAndRevoke(kept, older);
    }

    /** What the newer version has stored in its columns is still there when this version has changed the row. */
    private void rotateAndRevoke(Answer key, PackagedSample node) {
        String id = key.text("id");
        String columns = "_credential_api_keys where id = '" + id + "' and region = 'eu' and priority = 7";
        cluster.jdbc()
                .sql("update _credential_api_keys set region = 'eu', priority = 7 where id = :id")
                .param("id", id)
                .update();
        assertThat(whoAmI(node, key.text("key"))).isEqualTo(200);

        Answer rotated = cluster.admin(node).post("/keys/" + id + "/rotate", Map.of("graceful", false));

        assertThat(rotated.status()).as(rotated.body()).isEqualTo(200);
        assertThat(whoAmI(node, rotated.text("key"))).isEqualTo(200);
        assertThat(whoAmI(node, key.text("key"))).isEqualTo(401);
        assertThat(cluster.admin(node).delete("/keys/" + id).status()).isEqualTo(204);
        assertThat(whoAmI(node, rotated.text("key"))).isEqualTo(401);
        assertThat(count(columns)).isOne();
    }

    /** Uses both nodes before, while and after something happens; none of the calls may fail. */
    private <T> T callWhile(PackagedSample leader, PackagedSample follower, Happening<T> happening) throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicInteger rounds = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2 * CALLERS);
        try {
            List<Future<?>> callers = new ArrayList<>();
            for (PackagedSample node : List.of(leader, follower)) {
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(threads.submit(() -> {
                        while (running.get()) {
                            serve(node, leader);
                            rounds.incrementAndGet();
                        }
                    }));
                }
            }
            awaitRounds(rounds, callers);
            T result = happening.run();
            awaitRounds(rounds, callers);
            running.set(false);
            for (Future<?> caller : callers) {
                Patience.get(caller);
            }
            return result;
        } finally {
            running.set(false);
            threads.shutdown();
            Patience.until(threads::isTerminated);
        }
    }

    private static void awaitRounds(AtomicInteger rounds, List<Future<?>> callers) {
        int before = rounds.get();
        Patience.until(() -> rounds.get() >= before + ROUNDS || callers.stream().anyMatch(Future::isDone));
    }

    /** Lets a node verify a key that the leader issues and revokes, and send an event. */
    private void serve(PackagedSample node, PackagedSample leader) {
        Answer key = issue(leader);
        assertThat(whoAmI(node, key.text("key"))).isEqualTo(200);

        Answer sent = cluster.admin(node).post("/events/order.created", Map.of("item", "a red kettle"));
        assertThat(sent.status()).as(sent.body()).isEqualTo(200);
        assertThat(sent.json().required("deliveries").size()).isOne();
        events.incrementAndGet();

        Answer revoked = cluster.admin(leader).delete("/keys/" + key.text("id"));
        assertThat(revoked.status()).as(revoked.body()).isEqualTo(204);
        assertThat(whoAmI(node, key.text("key"))).isEqualTo(401);
    }

    private Answer issue(PackagedSample leader) {
        Answer key = cluster.admin(leader).post("/keys", Map.of("ownerId", "user-1"));
        assertThat(key.status()).as(key.body()).isEqualTo(201);
        return key;
    }

    private static int whoAmI(PackagedSample node, String key) {
        return node.api().with(key).get("/whoami").status();
    }

    private void registerEndpoint(PackagedSample node) {
        Answer registered = cluster.admin(node)
                .post(
                        "/endpoints",
                        Map.of(
                                "endpointId",
                                "partner",
                                "url",
                                partner.url("/orders"),
                                "eventTypes",
                                List.of("order.created"),
                                "secret",
                                SECRET));
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
    }

    private int newerScripts(String history) {
        return count(history + " where success and version like '%100_'");
    }

    private int count(String rows) {
        return cluster.jdbc()
                .sql("select count(*) from " + rows)
                .query(Integer.class)
                .single();
    }

    @FunctionalInterface
    private interface Happening<T> {
        T run() throws Exception;
    }
}
