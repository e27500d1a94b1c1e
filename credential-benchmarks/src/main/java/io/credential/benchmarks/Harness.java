package io.credential.benchmarks;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The main method of a program that measures. */
public final class Harness {

    private static final Logger LOG = LoggerFactory.getLogger(Harness.class);

    private static final int BAD_ARGUMENTS = 2;

    private Harness() {}

    /**
     * Measures, prints the table, writes its chart, and ends the JVM: with 1 if a goal was missed or something failed. A
     * smoke run has no goals.
     *
     * @param name of the chart
     */
    public static void main(String name, String[] arguments, Measurement measurement) {
        Profile profile;
        try {
            profile = Profile.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(BAD_ARGUMENTS);
            return;
        }
        System.exit(run(name, profile, measurement) ? 0 : 1);
    }

    private static boolean run(String name, Profile profile, Measurement measurement) {
        System.out.printf(
                "%s: %d processors, JDK %s%n",
                name,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature());
        Table table = new Table(System.out);
        try {
            measurement.measure(profile, table);
            table.write(name);
        } catch (Exception e) {
            LOG.error("{} failed", name, e);
            return false;
        }
        return profile == Profile.SMOKE || !table.missedGoal();
    }

    /** Measures something, and adds it to a table. */
    @FunctionalInterface
    public interface Measurement {

        void measure(Profile profile, Table table) throws Exception;
    }
}
