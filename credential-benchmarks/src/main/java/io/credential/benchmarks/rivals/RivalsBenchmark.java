package io.credential.benchmarks.rivals;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

import org.springframework.jdbc.support.JdbcTransactionManager;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Compares the dispatcher with other libraries that send from the transactions of an application, in one process. All do
 * the same: {@value Race#CALLERS} threads run transactions that insert a row and publish an event with a payload of 1 KiB;
 * each event is sent as a POST signed with HMAC-SHA256, and settled when it is accepted. The receiver answers after 0, 20
 * and 100 ms; in the short profile, after 0 and 100 ms. Two rates are measured, and turns of all contenders alternate:
 *
 * <ul>
 *   <li><em>published and settled</em>: from the first transaction until all events are settled
 *   <li><em>stored and settled</em>: the transactions are over, and nothing competes with sending
 * </ul>
 *
 * <p>All have the same HTTP client, number of webhooks in flight, PostgreSQL server and size of the pool, and databases of
 * their own. {@value #IN_FLIGHT} are in flight, because transaction-outbox holds a connection for each, and PostgreSQL
 * permits 100 connections by default. What is particular to one is described at its class.
 *
 * <p>Argument: {@code smoke}, {@code short} or none. Exits with 1 if a goal is missed: if the receiver answers at once, at
 * least 1.5 times the best of the others for published and 2.5 times for stored events, and at least as much after 100 ms.
 */
public final class RivalsBenchmark {

    private static final int IN_FLIGHT = 64;

    /** In addition to those for callers and for webhooks in flight. */
    private static final int BACKGROUND_CONNECTIONS = 4;

    private RivalsBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("rivals", arguments, RivalsBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start()) {
            for (Phase phase : Phase.of(profile)) {
                measure(phase, receiver, table);
            }
        }
    }

    private static void measure(Phase phase, BenchmarkReceiver receiver, Table table) throws Exception {
        List<Function<Setup, Contender>> factories = List.of(
                CredentialContender::new,
                DbSchedulerContender::new,
                TransactionOutboxContender::new,
                NamastackContender::new);
        int poolSize = Race.CALLERS + IN_FLIGHT + BACKGROUND_CONNECTIONS;
        try (RivalServer server = RivalServer.start(factories.size() + 1, poolSize);
                CountedTransport transport = new CountedTransport();
                Contenders contenders = Contenders.start(
                        factories,
                        database -> new Setup(
                                server.createDatabase(database),
                                receiver.pausingUrl(phase.pause()),
                                transport,
                                IN_FLIGHT))) {
            HikariDataSource pool = server.createDatabase("without_events");
            Orders orders = new Orders(pool, new JdbcTransactionManager(pool));
            Race race = new Race(() -> orders.place(0, () -> {}), contenders, transport);
            String answers = ", answers after " + phase.pause().toMillis() + " ms";
            Turns published = phase.take(turns -> race.publishAndSettle(phase.published(), turns));
            report("published and settled" + answers, published, contenders, phase.publishedGoal(), table);
            table.ratio(
                    "published and settled" + answers,
                    published,
                    contenders.ours().name(),
                    Race.TRANSACTIONS,
                    "");
            report(
                    "stored and settled" + answers,
                    phase.take(turns -> race.settleStored(phase.stored(), turns)),
                    contenders,
                    phase.storedGoal(),
                    table);
        }
    }

    private static void report(String row, Turns turns, Contenders contenders, OptionalDouble goal, Table table) {
        String ours = contenders.ours().name();
        for (Contender other : contenders.others()) {
            table.ratio(row, turns, ours, other.name(), "");
        }
        if (goal.isPresent()) {
            table.ratioAtLeast(row, turns, ours, Race.BEST, goal.getAsDouble());
        } else {
            table.ratio(row, turns, ours, Race.BEST, "");
        }
    }
}
