package io.credential.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.keyring.internal.KeyringFile;
import io.credential.sample.Snippet.Treatment;
import io.credential.testing.Patience;
import io.credential.testing.Programs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The programs and terminal sessions of the pages, as they are written there, against the sample. */
@TestInstance(Lifecycle.PER_CLASS)
class SnippetIT {

    private static final Path PRIVATE_KEY = Path.of("src/test/resources/development-only-ml-dsa-65-private.pem");

    /** Prints no progress, fails on a refused request, and calls the sample on the port that it has here. */
    private static final String CURL = """
            curl() { command curl -sS --fail-with-body "${@//localhost:8080/${HOOKS#http://}}"; }
            """;

    /** A command, which may continue on the next line, and the line that it prints. */
    private static final Pattern STEP = Pattern.compile("((?:.*\\\\\n)*.*)\n*(.*)\n*");

    /** An id or a secret. */
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}|[0-9a-f]{16}");

    private static final Pattern MILLIS = Pattern.compile("\\b\\d{13}\\b");

    private Path directory;
    private Sample sample;
    private String origin;

    @BeforeAll
    void start(@TempDir Path directory) {
        this.directory = directory;
        sample = Sample.startIn(
                directory.resolve("data"), Map.of("credential.webhook.dispatcher.allow-internal-destinations", "true"));
        origin = "http://" + sample.api().request("/").build().uri().getAuthority();
    }

    @AfterAll
    void stop() {
        sample.close();
    }

    static Stream<Snippet> programs() {
        return Snippet.all(Treatment.PROGRAM);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programThenDoesWhatThePageSays(Snippet program) throws IOException {
        Run run = switch (program.language()) {
            case "sh" -> {
                assumeTrue(
                        Programs.works("sh", "-c", "echo | openssl dgst -sha3-512 && curl --version"),
                        "no openssl or no curl");
                yield run("sh", "-e", "-c", program.text());
            }
            case "python" -> {
                assumeTrue(Programs.works("python3", "-c", "import hashlib; hashlib.sha3_512"), "no python3");
                yield run("python3", "-c", program.text());
            }
            case "js" -> {
                assumeTrue(Programs.works("node", "-e", "process.exit(typeof fetch == 'function' ? 0 : 1)"), "no node");
                yield run("node", "--input-type=module", "-e", program.text());
            }
            case "java" -> {
                assumeTrue(
                        !program.text().contains("ML-DSA") || Runtime.version().feature() >= 24, "no ML-DSA");
                Path source = Files.writeString(directory.resolve("Program.java"), program.text());
                String java =
                        Path.of(System.getProperty("java.home"), "bin", "java").toString();
                yield run(java, source.toString(), PRIVATE_KEY.toAbsolutePath().toString());
            }
            default -> throw new AssertionError(program.language());
        };

        assertThat(run.exitValue()).as("%s%n%s", program, run.output()).isZero();
        if (program.text().contains("HOOKS")) {
            assertThat(run.output()).containsAnyOf("\"timestamp\":", "\"scheme\":");
        } else if (program.language().equals("sh")) {
            try (InputStream keyring = Files.newInputStream(directory.resolve("keyring.json"))) {
                KeyringFile.read(keyring, "keyring.json");
            }
        }
    }

    @Test
    void sessionThenPrintsWhatThePageShows() throws IOException {
        assumeTrue(Programs.works("bash", "-c", "curl --fail-with-body --version"), "no bash or no curl");
        StringBuilder assignments = new StringBuilder(CURL);
        Map<String, String> actual = new HashMap<>();
        for (Snippet session : Snippet.all(Treatment.SESSION).toList()) {
            for (String step : session.text().substring(2).split("\n\\$ ", -1)) {
                Matcher parts = STEP.matcher(step);
                assertThat(parts.matches()).as("%s: %s", session, step).isTrue();
                String command =
                        RANDOM.matcher(parts.group(1)).replaceAll(id -> actual.getOrDefault(id.group(), id.group()));
                if (command.matches("[A-Z]+=.*")) {
                    assignments.append(command).append('\n');
                } else {
                    Run run = run("bash", "-c", assignments + command);
                    assertPrinted(session + ": " + command, run, parts.group(2), actual);
                }
            }
        }
    }

    /** The ids of this run take the place of those on the page. */
    private void assertPrinted(String step, Run run, String expected, Map<String, String> actual) {
        String output = run.output().replace(origin, "http://localhost:8080");
        assertThat(run.exitValue() != 0).as("%s%n%s", step, output).isEqualTo(expected.startsWith("{\"title\":"));
        if (!expected.isEmpty()) {
            String response = output.replaceAll("curl: .*\\s", "");
            assertThat(generalized(response)).as(step).isEqualTo(generalized(expected));
            Matcher theirs = RANDOM.matcher(expected);
            Matcher ours = RANDOM.matcher(response);
            while (theirs.find() && ours.find()) {
                actual.put(theirs.group(), ours.group());
            }
        }
    }

    /** What is different each time is replaced. */
    private static String generalized(String output) {
        return MILLIS.matcher(RANDOM.matcher(output).replaceAll("<random>")).replaceAll("<millis>");
    }

    private Run run(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("HOOKS", origin);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Run(Patience.exitValue(process), output);
    }

    private record Run(int exitValue, String output) {}
}
