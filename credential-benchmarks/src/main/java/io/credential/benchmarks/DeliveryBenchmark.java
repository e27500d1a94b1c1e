package io.credential.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.signature.WebhookSigner;

/**
 * How many stored deliveries of 1 KiB the dispatcher gets delivered and settled a second, beside a bare loop of the same
 * signed POSTs through the same transport with as many in flight, in turns of one run; the receiver is a process of its
 * own. Arguments, all optional: deliveries a turn (50,000), endpoints (1), in flight (256), rounds (5), {@code postgres}
 * or {@code sqlite} ({@code postgres}).
 */
public final class DeliveryBenchmark {

    private static final String SECRET = "a secret of the benchmark";
    private static final int PAYLOAD_BYTES = 1024;
    private static final int STORED_PER_TRANSACTION = 1000;
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 5;

    private final int deliveries;
    private final int endpoints;
    private final int inFlight;
    private final int rounds;

    private DeliveryBenchmark(int deliveries, int endpoints, int inFlight, int rounds) {
        this.deliveries = deliveries;
        this.endpoints = endpoints;
        this.inFlight = inFlight;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws Exception {
        DeliveryBenchmark benchmark = new DeliveryBenchmark(
                argument(arguments, 0, 50_000),
                argument(arguments, 1, 1),
                argument(arguments, 2, 256),
                argument(arguments, 3, 5));
        boolean sqlite = arguments.length > 4 && arguments[4].equals("sqlite");
        Path directory = Files.createTempDirectory("credential-benchmark");
        try (BenchmarkDatabase database = sqlite ? BenchmarkDatabase.sqlite(directory) : BenchmarkDatabase.postgres();
                BenchmarkReceiver receiver = BenchmarkReceiver.start()) {
            benchmark.run(CredentialDatabase.of(database.dataSource()), receiver);
        } finally {
            delete(directory);
        }
    }

    private static int argument(String[] arguments, int index, int defaultValue) {
        return index < arguments.length ? Integer.parseInt(arguments[index]) : defaultValue;
    }

    private void run(CredentialDatabase database, BenchmarkReceiver receiver) throws Exception {
        DestinationPolicy policy =
                DestinationPolicy.builder().allowInternalDestinations(true).build();
        SecureRandom random = new SecureRandom();
        // One address gets at most a quarter of the connections, and all endpoints are at one.
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                        .maxConcurrent(4 * inFlight)
                        .build();
                DestinationVetter vetter = new DestinationVetter(policy, HostResolver.system());
                WebhookSigner signer = WebhookSigner.builder()
                        .name("bare")
                        .algorithm("hmac-sha3-512")
                        .key("v1", SECRET)
                        .random(random)
                        .build();
                JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(database, Keyring.generate(random))
                        .random(random)
                        .destinationPolicy(policy)
                        .transport(transport)
                        .maxInFlight(inFlight)
                        .maxInFlightPerEndpoint(inFlight / endpoints)
                        .build()) {
            dispatcher.declareSchema();
            List<URI> urls = IntStream.range(0, endpoints)
                    .mapToObj(i -> URI.create(receiver.url(i)))
                    .toList();
            for (int i = 0; i < endpoints; i++) {
                dispatcher.registerEndpoint(
                        EndpointRegistration.of("endpoint-" + i, urls.get(i).toString(), SECRET, "event-" + i));
            }
            BarePosts bare = new BarePosts(transport, vetter, signer, urls, new byte[PAYLOAD_BYTES], inFlight);
            Costs costs = new Costs(database);
            bare.perSecond(deliveries); // both warm up once
            delivered(database, dispatcher, costs);
            costs.forget();
            Turns turns = new Turns();
            for (int round = 0; round < rounds; round++) {
                turns.add(bare.perSecond(deliveries), delivered(database, dispatcher, costs));
            }
            report(database.dialect(), turns, costs);
        }
    }

    /** Stores deliveries, lets them be delivered, and returns how many that were a second. */
    private double delivered(CredentialDatabase database, JdbcWebhookDispatcher dispatcher, Costs costs)
            throws InterruptedException {
        byte[] payload = new byte[PAYLOAD_BYTES];
        for (int stored = 0; stored < deliveries; stored += STORED_PER_TRANSACTION) {
            int first = stored;
            database.inTransaction(() -> {
                for (int i = first; i < Math.min(first + STORED_PER_TRANSACTION, deliveries); i++) {
                    dispatcher.enqueue("event-" + i % endpoints, payload);
                }
                return null;
            });
        }
        costs.begin();
        long start = System.nanoTime();
        dispatcher.start();
        JdbcClient.StatementSpec open = database.jdbc().sql("""
                select 1 from _credential_webhook_deliveries
                where delivered_at is null and dead_at is null limit 1""");
        while (!open.query(Integer.class).list().isEmpty()) {
            Thread.sleep(POLL_MILLIS);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        dispatcher.stop(GRACE);
        costs.end();
        return deliveries / seconds;
    }

    private void report(SqlDialect dialect, Turns turns, Costs costs) {
        System.out.printf(
                "%s  %,d deliveries to %d endpoints, %d in flight, %d rounds: bare posts %,.0f/s, delivered %,.0f/s,"
                        + " ratio %.2f (%.2f to %.2f)%s%n",
                dialect,
                deliveries,
                endpoints,
                inFlight,
                rounds,
                turns.medianBare(),
                turns.medianMeasured(),
                turns.medianRatio(),
                turns.lowestRatio(),
                turns.highestRatio(),
                costs.perDelivery((long) rounds * deliveries));
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** What PostgreSQL counts between begin and end, added up; SQLite counts nothing. */
    private static final class Costs {

        private final CredentialDatabase database;
        private final boolean counts;
        private long[] before = {0, 0};
        private final long[] total = {0, 0};

        Costs(CredentialDatabase database) {
            this.database = database;
            this.counts = database.dialect() == SqlDialect.POSTGRESQL;
        }

        void begin() {
            before = now();
        }

        void end() {
            long[] after = now();
            for (int i = 0; i < total.length; i++) {
                total[i] += after[i] - before[i];
            }
        }

        void forget() {
            total[0] = 0;
            total[1] = 0;
        }

        String perDelivery(long delivered) {
            return counts
                    ? ", %,.0f bytes of WAL and %.4f commits a delivery"
                            .formatted((double) total[0] / delivered, (double) total[1] / delivered)
                    : "";
        }

        private long[] now() {
            if (!counts) {
                return new long[] {0, 0};
            }
            return database.jdbc()
                    .sql("""
                            select cast(pg_current_wal_lsn() - '0/0' as bigint), xact_commit
                            from pg_stat_database where datname = current_database()""")
                    .query((row, number) -> new long[] {row.getLong(1), row.getLong(2)})
                    .single();
        }
    }
}
