package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.SampleProcess;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Measures how many requests with one key per second three nodes of the sample application answer when 16 callers call
 * {@code GET /whoami}. The key permits half of the requests. The yardstick is the same with a key that has no limit.
 * Goal: the nodes together permit no more requests than the limit.
 */
final class RateLimitBenchmark implements Benchmark {

    private static final int NODES = 3;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        int requests = scale.deliveries();
        int limit = requests / 2;
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                Cluster cluster = new Cluster(database.pool().getJdbcUrl())) {
            Turns turns = Turns.take(scale.rounds(), round -> {
                String unlimited = cluster.admin.issueKey("webhooks:admin");
                round.add(
                        "unlimited requests/s", cluster.run(unlimited, requests).perSecond());
                cluster.permitted.set(0);
                String limited = cluster.admin.issueLimitedKey(limit);
                round.add("limited requests/s", cluster.run(limited, requests).perSecond());
                round.add("permitted / limit", (double) cluster.permitted.get() / limit);
            });
            table.ratio("limit", turns, "limited requests/s", "unlimited requests/s", "");
            table.value("limit", turns, "unlimited requests/s");
            table.value("limit", turns, "limited requests/s");
            table.valueAtMost("limit", turns, "permitted / limit", 1);
        }
    }

    /** Three nodes with one keyring. */
    private static final class Cluster implements AutoCloseable {

        private final List<SampleProcess> nodes = new ArrayList<>();
        private final SampleClient admin;
        private final AtomicInteger permitted = new AtomicInteger();

        Cluster(String jdbcUrl) throws IOException, InterruptedException {
            String keyring = keyring();
            nodes.add(node(jdbcUrl, keyring));
            admin = nodes.get(0).admin();
            while (nodes.size() < NODES) {
                SampleProcess node = node(jdbcUrl, keyring);
                nodes.add(node);
                try (SampleClient client = node.client(admin.issueKey("webhooks:admin"))) {
                    node.awaitReady(client);
                }
            }
        }

        private static SampleProcess node(String jdbcUrl, String keyring) throws IOException {
            return new SampleProcess(
                    jdbcUrl, List.of("--credential.mode=cluster", "--credential.keyring.location=base64:" + keyring));
        }

        private static String keyring() {
            String json = """
                    {"version":1,"active":"k1","keys":{"k1":"%s"},"index":{"active":"i1","keys":{"i1":"%s"}}}""".formatted(randomKey(), randomKey());
            return Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
        }

        private static String randomKey() {
            byte[] key = new byte[32];
            new SecureRandom().nextBytes(key);
            return Base64.getEncoder().encodeToString(key);
        }

        /** Calls the nodes in turn with a key. */
        Load.Result run(String key, int requests) throws Exception {
            List<SampleClient> clients =
                    nodes.stream().map(node -> node.client(key)).toList();
            try {
                return new Load(SampleClient.CALLERS, requests, number -> {
                            if (clients.get(number % NODES).isPermitted()) {
                                permitted.incrementAndGet();
                            }
                        })
                        .run();
            } finally {
                clients.forEach(SampleClient::close);
            }
        }

        @Override
        public void close() throws IOException {
            for (SampleProcess node : nodes) {
                node.close();
            }
        }
    }
}
