package io.credential.benchmarks;

import java.util.List;

/**
 * Describes how thoroughly a harness measures.
 *
 * @param rounds how often each turn is measured
 */
public record Profile(Length length, int rounds) {

    private static final String ROUNDS = "rounds=";

    /** The length of a turn. */
    public enum Length {
        /** Shows in seconds that the harness works; too short for a verdict. */
        SMOKE(1),
        /** A run of two to four minutes. */
        SHORT(5),
        NORMAL(5);

        private final int rounds;

        Length(int rounds) {
            this.rounds = rounds;
        }
    }

    /**
     * Reads the arguments of a command.
     *
     * @param arguments {@code smoke} or {@code short}, and {@code rounds=<number>}; all are optional
     * @throws IllegalArgumentException if one is unknown
     */
    public static Profile of(List<String> arguments) {
        Length length = Length.NORMAL;
        int rounds = 0;
        for (String argument : arguments) {
            if (argument.equals("smoke")) {
                length = Length.SMOKE;
            } else if (argument.equals("short")) {
                length = Length.SHORT;
            } else if (argument.matches(ROUNDS + "[1-9][0-9]{0,3}")) {
                rounds = Integer.parseInt(argument.substring(ROUNDS.length()));
            } else {
                throw new IllegalArgumentException(
                        "Unknown argument " + argument + "; use smoke or short, and rounds=<number>");
            }
        }
        return new Profile(length, rounds == 0 ? length.rounds : rounds);
    }

    /** Runs a harness and exits: with 0 if it held its goals, 1 if not, and 2 if an argument is unknown. */
    public static void main(String[] arguments, Harness harness) throws Exception {
        Profile profile;
        try {
            profile = of(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.printf(
                "%d processors, JDK %s, %d rounds%n",
                Runtime.getRuntime().availableProcessors(), Runtime.version().feature(), profile.rounds());
        Table table = new Table(System.out);
        harness.run(profile, table);
        System.exit(table.missedGoal() ? 1 : 0);
    }

    /** Returns the value for this length. */
    public <T> T choose(T smoke, T brief, T normal) {
        return switch (length) {
            case SMOKE -> smoke;
            case SHORT -> brief;
            case NORMAL -> normal;
        };
    }

    /** Prints a ratio whose median must not be less than a goal. A smoke run has no verdict. */
    public void ratioAtLeast(Table table, String row, Turns turns, String measured, String yardstick, double goal) {
        if (length == Length.SMOKE) {
            table.ratio(row, turns, measured, yardstick, "");
        } else {
            table.ratioAtLeast(row, turns, measured, yardstick, goal);
        }
    }

    /** Measures and prints its lines. */
    @FunctionalInterface
    public interface Harness {

        void run(Profile profile, Table table) throws Exception;
    }
}
