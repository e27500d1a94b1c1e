package io.credential.sample;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.credential.internal.notification.NodeNotifications;
import io.credential.sample.Api.Answer;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Two nodes on one PostgreSQL with one keyring. */
@ExtendWith(OutputCaptureExtension.class)
class ClusterSampleIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_[0-9a-f]{16}_[0-9a-f]{32}");

    @Test
    void clusterThenSharesKeysAndReplacesStoppedLeader(@TempDir Path directory, CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            Map<String, String> shared = Map.of(
                    "spring.datasource.url",
                    database.jdbcUrl(),
                    "credential.storage.path",
                    directory.resolve("credential.db").toString(),
                    "credential.keyring.location",
                    "file:" + directory.resolve("keyring.json"));
            Sample.start(shared).close();
            Matcher printed = TOKEN.matcher(output.getOut());
            assertThat(printed.find()).isTrue();
            String adminKey = printed.group();

            try (Sample first = Sample.start(node(shared, "first"));
                    Sample second = Sample.start(node(shared, "second"))) {
                Answer issued = first.api().with(adminKey).post("/keys", Map.of("ownerId", "user-1"));
                assertThat(issued.status()).as(issued.body()).isEqualTo(201);

                Api follower = second.api().with(adminKey);
                Answer refused = follower.post("/keys", Map.of("ownerId", "user-2"));
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.contentType()).isEqualTo("application/problem+json");
                assertThat(refused.text("code")).isEqualTo("api-key/not-leader");
                assertThat(refused.text("leaderUrl")).isEqualTo("https://first.example.org");
                assertThat(second.api().with(issued.text("key")).get("/whoami").status())
                        .isEqualTo(200);
                assertThat(follower.get("/keys/" + issued.text("id")).status()).isEqualTo(200);
                assertThat(follower.get("/keys?ownerId=user-2").body()).isEqualTo("[]");

                Answer limited = first.api()
                        .with(adminKey)
                        .post(
                                "/keys",
                                Map.of("ownerId", "user-4", "rateLimit", Map.of("limit", 3, "windowSeconds", 86400)));
                assertThat(limited.status()).as(limited.body()).isEqualTo(201);
                for (Sample node : List.of(first, second, first)) {
                    assertThat(node.api()
                                    .with(limited.text("key"))
                                    .get("/whoami")
                                    .status())
                            .isEqualTo(200);
                }
                for (Sample node : List.of(first, second)) {
                    assertThat(node.api()
                                    .with(limited.text("key"))
                                    .get("/whoami")
                                    .text("code"))
                            .isEqualTo("api-key/rate-limited");
                }

                Answer operator = first.api()
                        .with(adminKey)
                        .post("/keys", Map.of("ownerId", "operator", "scopes", List.of("actuator:read")));
                Patience.until(second.bean(NodeNotifications.class)::isListening);
                assertThat(first.api()
                                .with(adminKey)
                                .delete("/keys/" + issued.text("id"))
                                .status())
                        .isEqualTo(204);
                Patience.untilAsserted(() -> assertThat(second.api()
                                .with(operator.text("key"))
                                .get("/actuator/prometheus")
                                .body())
                        .containsPattern(MetricsIT.CACHE_INVALIDATION + "_count [1-9]")
                        .contains(MetricsIT.CACHE_INVALIDATION + "_max "));
                for (Sample node : List.of(first, second)) {
                    assertOnlyRejectedKeysAreRefused(node.api(), issued.text("key"), adminKey);
                }

                first.stop();

                Patience.until(() ->
                        follower.post("/keys", Map.of("ownerId", "user-3")).status() == 201);
            }
            assertThat(TOKEN.matcher(output.getOut()).results())
                    .as("keys printed")
                    .hasSize(1);
        }
    }

    /** From the address of a client that goes on using a revoked key, valid keys still work. */
    private static void assertOnlyRejectedKeysAreRefused(Api node, String revoked, String valid) {
        Patience.until(() -> node.with(revoked).get("/whoami").status() == 429);
        assertThat(node.with(revoked).get("/whoami").text("code")).isEqualTo("api-key/too-many-failures");
        assertThat(node.with(valid).get("/whoami").status()).isEqualTo(200);
    }

    private static Map<String, String> node(Map<String, String> shared, String name) {
        Map<String, String> properties = new HashMap<>(shared);
        properties.put("credential.mode", "cluster");
        properties.put("credential.api-keys.cache.enabled", "true");
        properties.put("credential.api-keys.failed-attempts.limit", "3");
        properties.put("credential.api-keys.failed-attempts.window", "1d"); // longer than the test
        properties.put("credential.cluster.node-id", name);
        // Longer than this machine ever stands still: the first node leads until it stops.
        properties.put("credential.cluster.lease-duration", "1m");
        properties.put("credential.cluster.advertised-url", "https://" + name + ".example.org");
        return properties;
    }
}
