package io.credential.sample;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;
import io.credential.testing.RestartablePostgres;

import static org.assertj.core.api.Assertions.assertThat;

/** PostgreSQL goes away under load and comes back. */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseOutageIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_[0-9a-f]{16}_[0-9a-f]{32}");

    @Test
    void callersWhenDatabaseIsAwayThenUnavailableUntilBack(@TempDir Path directory, CapturedOutput output) {
        try (RestartablePostgres postgres = RestartablePostgres.started();
                Sample sample = Sample.startIn(
                        directory,
                        Map.of(
                                "spring.datasource.url",
                                postgres.jdbcUrl(),
                                "spring.datasource.hikari.connection-timeout",
                                "3000"))) {
            Matcher printed = TOKEN.matcher(output.getOut());
            assertThat(printed.find()).isTrue();
            Api api = sample.api().with(printed.group());
            Set<Integer> statuses = ConcurrentHashMap.newKeySet();
            AtomicBoolean running = new AtomicBoolean(true);
            ExecutorService callers = Executors.newFixedThreadPool(8);
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(callers.submit(() -> {
                    while (running.get()) {
                        statuses.add(api.get("/orders").status());
                    }
                }));
            }
            try {
                Patience.until(() -> statuses.contains(200));

                postgres.stop();
                Patience.untilAsserted(() -> assertUnavailable(api.get("/orders")));
                assertUnavailable(api.post("/keys", Map.of("ownerId", "nobody")));
                assertUnavailable(api.get("/whoami"));

                Patience.until(() -> statuses.contains(503));
                postgres.start();
                Patience.until(() -> api.get("/orders").status() == 200
                        && api.post("/orders", Map.of("item", "after the outage"))
                                        .status()
                                == 201);
            } finally {
                running.set(false);
                callers.shutdown();
                Patience.until(callers::isTerminated);
            }
            calls.forEach(Patience::join);
            assertThat(statuses).containsExactlyInAnyOrder(200, 503);
        }
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.text("code")).isEqualTo("api-key/unavailable");
    }
}
