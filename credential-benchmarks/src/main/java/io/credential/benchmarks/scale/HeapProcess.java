package io.credential.benchmarks.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.JvmOptions;

/** A {@link HeapNode} with a small heap, in its own JVM. */
final class HeapProcess implements AutoCloseable {

    static final int HEAP_MEGABYTES = 96;

    private static final int OUT_OF_MEMORY = 3;
    private static final long GRACE_SECONDS = 30;

    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;

    /** @param arguments of the node */
    HeapProcess(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.inherited());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-cp",
                System.getProperty("java.class.path"),
                HeapNode.class.getName()));
        command.addAll(arguments);
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Returns how many bytes of the heap remain in use after a garbage collection; empty if the node ran out of memory.
     *
     * @throws IOException if the node has ended for another reason
     */
    OptionalLong heapBytes() throws IOException {
        try {
            commands.append('\n').flush();
        } catch (IOException e) {
            return ended(e);
        }
        String line = answers.readLine();
        return line == null ? ended(null) : OptionalLong.of(Long.parseLong(line));
    }

    private OptionalLong ended(@Nullable IOException cause) throws IOException {
        int exitCode = process.onExit().join().exitValue();
        if (exitCode != OUT_OF_MEMORY) {
            throw new IOException("The node has ended with " + exitCode, cause);
        }
        return OptionalLong.empty();
    }

    @Override
    public void close() throws IOException {
        try {
            commands.close();
        } finally {
            process.onExit()
                    .completeOnTimeout(process, GRACE_SECONDS, TimeUnit.SECONDS)
                    .join();
            process.destroyForcibly().onExit().join();
        }
    }
}
