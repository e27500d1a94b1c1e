package io.credential.benchmarks.console;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostDatabase;
import io.credential.benchmarks.host.HostProcess;
import io.credential.benchmarks.scale.StoredRows;

/**
 * Measures what twenty open consoles cost the dispatcher of the same application.
 *
 * <p>The goal is for the share of all processors that they take from the application and PostgreSQL while nothing is delivered:
 * a dispatcher that delivers as fast as it can loses no more. This hardly depends on what else the machine does. It is the
 * median difference of turns with and without consoles.
 *
 * <p>For information, the rate itself while a backlog is delivered as fast as possible, which varies by more than what is to be
 * seen. Each round has seven turns during one backlog; the consoles are open in the second and third, which are compared with
 * the first and fourth, so that a rate that rises or falls steadily changes nothing. The fifth and sixth, compared with the
 * fourth and seventh, show how much the rate varies without a reason.
 */
final class DeliveryRate {

    private static final double GOAL_PERCENT = 1;

    private static final String ROW = "console";
    private static final String SHARE = "percent of the processors for twenty consoles";
    private static final String OPEN = "deliveries/s with twenty consoles";
    private static final String AROUND_OPEN = "deliveries/s around that without";
    private static final String WITHOUT = "deliveries/s without consoles";
    private static final String AROUND_WITHOUT = "deliveries/s around that";
    private static final String STATEMENTS = "statements of statistics per 1,000 deliveries";

    private static final int TURNS = 7;
    private static final int WARM_UP_PART = 50;
    private static final long POLL_MILLIS = 100;
    private static final String ENDPOINT = "endpoint-";
    private static final int PAYLOAD_BYTES = 256;

    private static final int DELIVERIES_OF_STATISTICS = 1_000;

    private static final Pattern REQUESTS =
            Pattern.compile("^credential_webhook_request_seconds_count(?:\\{.*})? (\\S+)$", Pattern.MULTILINE);

    private final BenchmarkDatabase database;
    private final HostDatabase endpoints;
    private final SampleClient client;
    private final OpenConsoles consoles;
    private final Duration turn;
    private final boolean isSmoke;

    private DeliveryRate(HostDatabase database, SampleClient client, OpenConsoles consoles, Profile profile) {
        this.database = database.benchmarked();
        this.endpoints = database;
        this.client = client;
        this.consoles = consoles;
        this.turn = Duration.ofSeconds(profile.choose(1, 5, 5));
        this.isSmoke = profile == Profile.SMOKE;
    }

    /** Nothing but its backlog is due. */
    static void measure(HostDatabase database, HostProcess host, Profile profile, Table table) throws Exception {
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start();
                SampleClient client = host.client("actuator:read");
                OpenConsoles consoles = new OpenConsoles(host)) {
            database.registerEndpoints(
                    ENDPOINT,
                    Collections.nCopies(
                            StoredRows.ENDPOINTS, receiver.bareUrls(1).get(0)));
            DeliveryRate rate = new DeliveryRate(database, client, consoles, profile);
            ProcessorTime time = new ProcessorTime(host, database.benchmarked());
            consoles.refresh(
                    profile.choose(OpenConsoles.CONSOLES, 3_000, 10_000)); // until most of the code is compiled
            Turns shares = Turns.take(profile.choose(1, 3, 11), round -> rate.measureShare(time, round));
            table.medianAtMost(ROW, shares, SHARE, GOAL_PERCENT);
            int stored = Math.toIntExact(profile.choose(1_000, 20_000, 20_000) * rate.turn.toSeconds() * (TURNS + 2));
            Turns rates = Turns.takeCold(profile.choose(1, 3, 5), round -> rate.measure(stored, round));
            table.ratio(ROW, rates, WITHOUT, AROUND_WITHOUT, "");
            table.ratio(ROW, rates, OPEN, AROUND_OPEN, "");
            table.value(ROW, rates, STATEMENTS);
        }
    }

    private void measureShare(ProcessorTime time, Turns round) throws Exception {
        double without = time.percent(turn.multipliedBy(2));
        consoles.open();
        double with = time.percent(turn.multipliedBy(2));
        consoles.hide();
        round.add(SHARE, with - without);
    }

    /** @param stored more than can be delivered in these turns */
    private void measure(int stored, Turns round) throws Exception {
        endpoints.pauseEndpoints(ENDPOINT, StoredRows.ENDPOINTS);
        StoredRows.backlog(database, stored, 1, StoredRows.ENDPOINTS, PAYLOAD_BYTES);
        double before = delivered();
        endpoints.resumeEndpoints(ENDPOINT, StoredRows.ENDPOINTS);
        while (delivered() < before + (double) stored / WARM_UP_PART) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        double[] rates = new double[TURNS];
        for (int i = 0; i < TURNS; i++) {
            if (i == 1) {
                consoles.open();
            } else if (i == 3) {
                consoles.hide();
            }
            rates[i] = perSecond();
        }
        round.add(OPEN, (rates[1] + rates[2]) / 2);
        round.add(AROUND_OPEN, (rates[0] + rates[3]) / 2);
        round.add(WITHOUT, (rates[4] + rates[5]) / 2);
        round.add(AROUND_WITHOUT, (rates[3] + rates[6]) / 2);
        round.add(STATEMENTS, statementsOfStatistics());
        if (!isSmoke && delivered() >= before + stored) {
            throw new IllegalStateException("The backlog was delivered before the turns ended");
        }
    }

    private double perSecond() throws InterruptedException {
        double before = delivered();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(turn.toNanos());
        return (delivered() - before) / ((System.nanoTime() - start) / 1e9);
    }

    /** Each delivery is one request: the receiver accepts them all. */
    private double delivered() {
        Matcher matcher = REQUESTS.matcher(client.scrape());
        double requests = 0;
        while (matcher.find()) {
            requests += Double.parseDouble(matcher.group(1));
        }
        return requests;
    }

    private double statementsOfStatistics() throws InterruptedException {
        database.countStatements(true);
        long before = counted();
        double deliveries = delivered();
        TimeUnit.NANOSECONDS.sleep(turn.toNanos());
        double statements = counted() - before;
        double ofDeliveries = delivered() - deliveries;
        database.countStatements(false);
        return DELIVERIES_OF_STATISTICS * statements / ofDeliveries;
    }

    private long counted() {
        return JdbcClient.create(database.control()).sql("""
                        select coalesce(sum(calls), 0) from pg_stat_statements
                        where query like '%INSERT INTO%hourly_counts%' or query like '%INSERT INTO%last_outcomes%'""").query(Long.class).single();
    }
}
