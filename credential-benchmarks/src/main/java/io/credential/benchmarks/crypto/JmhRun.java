package io.credential.benchmarks.crypto;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import io.credential.benchmarks.JvmOptions;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Turns;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Runs the benchmarks of one class once, one after the other. The full form runs each in its own JVM. The others run
 * them in this one, so that iterations can be short and alternate.
 */
final class JmhRun {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final ChainedOptionsBuilder options;
    private final String prefix;

    /** @param prefix of the names of its measurements */
    JmhRun(Profile profile, Class<?> benchmarks, String parameter, String value, String prefix) {
        this.options = new OptionsBuilder()
                .include("^" + benchmarks.getName().replace(".", "\\.") + "\\.")
                .param(parameter, value)
                .mode(Mode.Throughput)
                .timeUnit(SECONDS)
                .forks(profile.choose(0, 0, 1))
                .jvmArgs(Stream.concat(Stream.of("-Xms512m", "-Xmx512m"), JvmOptions.unsafeAccess().stream())
                        .toArray(String[]::new))
                .warmupIterations(profile.choose(1, 1, 2))
                .warmupTime(profile.choose(millis(10), millis(10), millis(500)))
                .measurementIterations(profile.choose(1, 1, 3))
                .measurementTime(profile.choose(millis(10), millis(40), millis(500)))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        this.prefix = prefix;
    }

    private static TimeValue millis(long millis) {
        return TimeValue.milliseconds(millis);
    }

    /** Returns the name of the measurement of the bytes that an operation allocates. */
    static String allocated(String operation) {
        return operation + ", bytes allocated";
    }

    /** Adds the operations per second and the bytes per operation to a round, and returns the former. */
    Map<String, Double> addTo(Turns round) throws RunnerException {
        Map<String, Double> scores = new HashMap<>();
        for (RunResult result : new Runner(options.build()).run()) {
            String operation = prefix + result.getPrimaryResult().getLabel();
            scores.put(operation, result.getPrimaryResult().getScore());
            round.add(operation, result.getPrimaryResult().getScore());
            round.add(allocated(operation), allocatedBytes(result));
        }
        return scores;
    }

    private static double allocatedBytes(RunResult result) {
        for (String name : result.getSecondaryResults().keySet()) {
            if (name.endsWith(ALLOCATED)) {
                return result.getSecondaryResults().get(name).getScore();
            }
        }
        throw new IllegalStateException("JMH did not measure what was allocated");
    }
}
