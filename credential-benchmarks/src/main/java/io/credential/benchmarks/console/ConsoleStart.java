package io.credential.benchmarks.console;

import java.io.IOException;
import java.util.List;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostDatabase;
import io.credential.benchmarks.host.HostProcess;
import io.credential.benchmarks.host.HostProcess.Variant;

/** Measures how much longer the application takes to start with the console; processes with and without it take turns. */
final class ConsoleStart {

    private static final double GOAL_MILLIS = 100;
    private static final double MILLIS_PER_SECOND = 1e3;

    private static final List<Variant> VARIANTS = List.of(Variant.WITH, Variant.CONSOLE_OFF, Variant.CONSOLE);

    private ConsoleStart() {}

    static void measure(HostDatabase database, Profile profile, Table table) throws Exception {
        Turns turns = Turns.take(profile.choose(1, 5, 20), round -> start(database, round));
        table.value("console", turns, seconds(Variant.WITH));
        table.value("console", turns, seconds(Variant.CONSOLE));
        table.value("console", turns, processor(Variant.WITH));
        table.value("console", turns, processor(Variant.CONSOLE));
        table.value("console", turns, added(Variant.CONSOLE_OFF));
        table.medianAtMost("console", turns, added(Variant.CONSOLE), GOAL_MILLIS);
    }

    private static void start(HostDatabase database, Turns round) throws IOException, InterruptedException {
        double[] seconds = new double[VARIANTS.size()];
        for (int i = 0; i < VARIANTS.size(); i++) {
            try (HostProcess host = new HostProcess(VARIANTS.get(i), database)) {
                seconds[i] = host.startSeconds();
                round.add(seconds(VARIANTS.get(i)), seconds[i]);
                round.add(processor(VARIANTS.get(i)), host.processorTime().toMillis() / MILLIS_PER_SECOND);
                round.add(added(VARIANTS.get(i)), MILLIS_PER_SECOND * (seconds[i] - seconds[0]));
            }
        }
    }

    private static String seconds(Variant variant) {
        return "seconds to start " + variant;
    }

    private static String processor(Variant variant) {
        return "seconds of processor time to start " + variant;
    }

    private static String added(Variant variant) {
        return "ms added to the start " + variant;
    }
}
