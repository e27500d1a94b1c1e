package io.credential.benchmarks.all;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.credential.benchmarks.JvmOptions;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.apikey.AuditLogBenchmark;
import io.credential.benchmarks.apikey.VerifyBenchmark;
import io.credential.benchmarks.console.ConsoleBenchmark;
import io.credential.benchmarks.crypto.CryptoBenchmarks;
import io.credential.benchmarks.dispatcher.DispatcherBenchmarks;
import io.credential.benchmarks.host.HostCostBenchmark;
import io.credential.benchmarks.host.HttpVerifyBenchmark;
import io.credential.benchmarks.host.ScrapeBenchmark;
import io.credential.benchmarks.host.WebhookVerifyBenchmark;
import io.credential.benchmarks.report.Figures;
import io.credential.benchmarks.rivals.RivalsBenchmark;
import io.credential.benchmarks.scale.GrowthBenchmark;
import io.credential.benchmarks.scale.IsolationBenchmark;
import io.credential.benchmarks.scale.MemoryBenchmark;

/**
 * Runs all programs, each in its own JVM, one after the other. Prints their tables and, at the end, all goals. Argument:
 * {@code smoke}, {@code short} or none, which is passed on. Exits with 1 if a program fails or misses a goal.
 */
public final class AllBenchmarks {

    /** Minutes of the short profile: measured on two cores, doubled. A program that takes longer is ended. */
    private static final List<Program> PROGRAMS = List.of(
            new Program(VerifyBenchmark.class, 3),
            new Program(HttpVerifyBenchmark.class, 6),
            new Program(WebhookVerifyBenchmark.class, 6),
            new Program(AuditLogBenchmark.class, 3),
            new Program(CryptoBenchmarks.class, 6),
            new Program(DispatcherBenchmarks.class, 4, "backlog", "enqueue", "transaction"),
            new Program(RivalsBenchmark.class, 6),
            new Program(GrowthBenchmark.class, 8),
            new Program(IsolationBenchmark.class, 6),
            new Program(MemoryBenchmark.class, 6),
            new Program(ScrapeBenchmark.class, 6),
            new Program(HostCostBenchmark.class, 6),
            new Program(ConsoleBenchmark.class, 16));

    private AllBenchmarks() {}

    public static void main(String[] arguments) throws IOException {
        Profile profile = Profile.of(arguments);
        Figures.clear();
        List<String> lines = new ArrayList<>();
        boolean succeeded = true;
        for (Program program : PROGRAMS) {
            System.out.printf("%n== %s%n", program.name());
            ProgramRun run = ProgramRun.of(program, profile, arguments, System.out);
            lines.add("%-24s %5.1f minutes, exit code %d".formatted(program.name(), run.minutes(), run.exitCode()));
            lines.addAll(run.goals());
            succeeded &= run.exitCode() == 0;
        }
        Figures.writePage("JDK %d, %d processors, %s form"
                .formatted(
                        Runtime.version().feature(),
                        Runtime.getRuntime().availableProcessors(),
                        profile.name().toLowerCase(Locale.ROOT)));
        System.out.printf("%n== Goals%n");
        lines.forEach(System.out::println);
        System.out.println(verdict(succeeded, profile));
        System.exit(succeeded ? 0 : 1);
    }

    private static String verdict(boolean succeeded, Profile profile) {
        if (!succeeded) {
            return "A goal is missed, or a program has failed";
        }
        return profile == Profile.SMOKE ? "All programs work; a smoke run has no goals" : "All goals are held";
    }

    /**
     * A program to run.
     *
     * @param minutes the limit in the short profile
     * @param selection arguments in addition to the profile
     */
    record Program(Class<?> main, int minutes, List<String> selection) {

        Program(Class<?> main, int minutes, String... selection) {
            this(main, minutes, List.of(selection));
        }

        String name() {
            return main.getSimpleName();
        }

        List<String> command(String java, String[] arguments) {
            return Stream.of(
                            Stream.of(java),
                            JvmOptions.unsafeAccess().stream(),
                            Stream.of(
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    main.getName()),
                            Stream.of(arguments),
                            selection.stream())
                    .flatMap(part -> part)
                    .toList();
        }
    }
}
