package io.credential.benchmarks.all;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.all.AllBenchmarks.Program;

/**
 * What became of a program.
 *
 * @param goals the lines of its table that have a goal
 */
record ProgramRun(int exitCode, double minutes, List<String> goals) {

    private static final Pattern GOAL = Pattern.compile("goal: .*(held|MISSED)$");

    /** The full profile measures more rows, more rounds and longer turns. */
    private static final int FULL_FACTOR = 20;

    /** Runs a program to its end, or ends it when its time is up; prints what it prints. */
    static ProgramRun of(Program program, Profile profile, String[] arguments, PrintStream out) throws IOException {
        long start = System.nanoTime();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(program.command(java, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long limit = (long) program.minutes() * (profile == Profile.FULL ? FULL_FACTOR : 1);
        CompletableFuture<Void> timer = CompletableFuture.runAsync(
                () -> end(process), CompletableFuture.delayedExecutor(limit, TimeUnit.MINUTES));
        List<String> goals = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println(line);
                if (GOAL.matcher(line).find()) {
                    goals.add(line);
                }
            }
        }
        int exitCode = process.onExit().join().exitValue();
        timer.cancel(false);
        return new ProgramRun(exitCode, (System.nanoTime() - start) / 1e9 / TimeUnit.MINUTES.toSeconds(1), goals);
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
