package io.credential.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A script of the tests that Node.js runs with npm packages. Where they cannot be installed, tests are skipped with the
 * reason.
 */
public final class NodeProject {

    private static final String NEW_ENOUGH = """
            const [major, minor] = process.versions.node.split('.').map(Number);
            process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1);""";

    private final Path directory;
    private final String missing;

    private NodeProject(Path directory, String missing) {
        this.directory = directory;
        this.missing = missing;
    }

    /**
     * Installs the packages of a project.
     *
     * @param resources the folder of {@code package.json} and {@code script.mjs}
     * @param directory an empty one, to which they are copied
     */
    public static NodeProject install(String resources, Path directory) {
        copy(resources + "/package.json", directory);
        copy(resources + "/script.mjs", directory);
        return new NodeProject(directory, whatIsMissing(directory));
    }

    /** Skips the test unless the packages are installed; for each test, so that each is reported. */
    public void assumeInstalled() {
        assumeTrue(missing.isEmpty(), missing);
    }

    /** Runs the script in the directory, and returns what it prints. */
    public String run(String... arguments) {
        Path output = directory.resolve("output");
        int exitValue = exitValue(script(arguments).redirectErrorStream(true).redirectOutput(output.toFile()));
        assertThat(exitValue).as(() -> read(output)).isZero();
        return read(output).strip();
    }

    /** Returns a process that runs the script in the directory. */
    public ProcessBuilder script(String... arguments) {
        return new ProcessBuilder(Stream.concat(Stream.of("node", "script.mjs"), Stream.of(arguments))
                        .toList())
                .directory(directory.toFile());
    }

    /** Empty when the packages are installed. */
    private static String whatIsMissing(Path directory) {
        if (!Programs.works("node", "-e", NEW_ENOUGH)) {
            return "node 20.19 or newer is not on the path";
        }
        if (!Programs.works("npm", "--version")) {
            return "npm is not on the path";
        }
        Path output = directory.resolve("output");
        ProcessBuilder install = new ProcessBuilder(
                        "npm",
                        "install",
                        "--prefix=.",
                        "--no-package-lock",
                        "--no-audit",
                        "--no-fund",
                        "--ignore-scripts",
                        "--loglevel=error",
                        "--fetch-retries=0",
                        "--fetch-timeout=10000")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        return exitValue(install) == 0
                ? ""
                : "npm cannot install the packages: " + read(output).replaceAll("\\s+", " ");
    }

    private static int exitValue(ProcessBuilder command) {
        try {
            Process process = command.start();
            try {
                return Patience.exitValue(process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(String resource, Path directory) {
        try (InputStream content = Objects.requireNonNull(NodeProject.class.getResourceAsStream(resource), resource)) {
            Files.copy(content, directory.resolve(Path.of(resource).getFileName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
