package io.credential.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.sample.Api.Answer;
import io.credential.testing.InParallel;

import static org.assertj.core.api.Assertions.assertThat;

/** A limit over three nodes, each in its own process, that get requests as fast as they answer. */
class ClusterRateLimitIT {

    private static final int LIMIT = 500;
    private static final int CALLERS = 24;
    private static final int REQUESTS = 125; // of each caller: 1,000 for each node, twice the limit
    private static final int WINDOW_SECONDS = 86400; // longer than any test

    @Test
    void requestsWhenThreeNodesThenNoMoreThanLimit(@TempDir Path directory) {
        try (PackagedCluster cluster = new PackagedCluster(directory)) {
            PackagedSample leader = cluster.start("first").awaitStarted();
            List<PackagedSample> nodes = List.of(leader, cluster.start("second"), cluster.start("third"));
            nodes.forEach(PackagedSample::awaitStarted);
            Answer issued = cluster.admin(leader)
                    .post(
                            "/keys",
                            Map.of(
                                    "ownerId",
                                    "user-1",
                                    "rateLimit",
                                    Map.of("limit", LIMIT, "windowSeconds", WINDOW_SECONDS)));
            assertThat(issued.status()).as(issued.body()).isEqualTo(201);
            List<Api> apis = nodes.stream()
                    .map(node -> node.api().with(issued.text("key")))
                    .toList();
            AtomicInteger next = new AtomicInteger();

            int accepted = InParallel.countSuccesses(CALLERS, REQUESTS, round -> {
                Answer answer = apis.get(next.getAndIncrement() % apis.size()).get("/whoami");
                if (answer.status() != 200) {
                    assertRefused(answer);
                }
                return answer.status() == 200;
            });

            assertThat(accepted).isEqualTo(LIMIT);
        }
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(429);
        assertThat(answer.text("code")).isEqualTo("api-key/rate-limited");
        String wait = answer.headers().firstValue("Retry-After").orElseThrow();
        assertThat(Integer.parseInt(wait)).isBetween(1, WINDOW_SECONDS);
        assertThat(answer.header("RateLimit")).isEqualTo("\"default\";r=0;t=" + wait);
        assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"default\";q=" + LIMIT + ";w=" + WINDOW_SECONDS);
    }
}
