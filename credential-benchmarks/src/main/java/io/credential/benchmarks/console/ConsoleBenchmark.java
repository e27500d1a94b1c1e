package io.credential.benchmarks.console;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.host.HostDatabase;
import io.credential.benchmarks.host.HostProcess;
import io.credential.benchmarks.host.HostProcess.Variant;
import io.credential.benchmarks.scale.StoredRows;

/**
 * Measures the operator's console of the host application against its budgets. Arguments: {@code smoke}, {@code short} or
 * none, and the names of the parts that are measured, by default all.
 */
public final class ConsoleBenchmark {

    private ConsoleBenchmark() {}

    /** What is measured. */
    enum Part {
        SIZES,
        LISTS,
        RATE,
        STATEMENTS,
        START;

        private static boolean isName(String argument) {
            return Arrays.stream(values()).anyMatch(part -> part.argument().equals(argument));
        }

        private String argument() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns those that arguments name; all if they name none. */
        static Set<Part> of(List<String> arguments) {
            Set<Part> parts = EnumSet.allOf(Part.class);
            parts.removeIf(part -> !arguments.contains(part.argument()));
            return parts.isEmpty() ? EnumSet.allOf(Part.class) : parts;
        }
    }

    public static void main(String[] arguments) {
        Set<Part> parts = Part.of(List.of(arguments));
        String[] profile = Arrays.stream(arguments)
                .filter(argument -> !Part.isName(argument))
                .toArray(String[]::new);
        Harness.main("console", profile, (chosen, table) -> measure(parts, chosen, table));
    }

    static void measure(Set<Part> parts, Profile profile, Table table) throws Exception {
        int deliveries = profile.choose(2_000, 200_000, 2_000_000);
        if (!parts.equals(EnumSet.of(Part.START))) {
            try (HostDatabase database = HostDatabase.postgres()) {
                measure(database, deliveries, parts, profile, table);
            }
        }
        if (parts.contains(Part.LISTS)) {
            try (HostDatabase database = HostDatabase.sqlite();
                    HostProcess host = new HostProcess(Variant.CONSOLE, database)) {
                ConsoleData.store(database, StoredRows.SQLITE, deliveries);
                ConsoleLists.measure(row("SQLite", deliveries), ConsoleSession.logIn(host), profile, table);
            }
        }
        if (parts.contains(Part.START)) {
            try (HostDatabase database = HostDatabase.postgres()) {
                ConsoleStart.measure(database, profile, table);
            }
        }
    }

    private static void measure(HostDatabase database, int deliveries, Set<Part> parts, Profile profile, Table table)
            throws Exception {
        try (HostProcess host = new HostProcess(Variant.CONSOLE, database)) {
            ConsoleData.store(database, StoredRows.POSTGRES, deliveries);
            ConsoleSession session = ConsoleSession.logIn(host);
            if (parts.contains(Part.SIZES)) {
                ConsoleSizes.measure(session, table);
            }
            if (parts.contains(Part.LISTS)) {
                ConsoleLists.measure(row("PostgreSQL", deliveries), session, profile, table);
            }
            if (parts.contains(Part.RATE)) {
                DeliveryRate.measure(database, host, profile, table);
            }
        }
        if (parts.contains(Part.STATEMENTS)) {
            ConsoleRefreshes.measure(database, profile, table);
        }
    }

    private static String row(String name, int deliveries) {
        return "console, %s, %,d deliveries".formatted(name, deliveries);
    }
}
