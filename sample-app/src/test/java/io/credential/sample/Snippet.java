package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A fenced block of a page that users read. */
record Snippet(String page, int line, String language, String text) {

    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\R(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern COMMAND =
            Pattern.compile("([A-Z_]+=\\S+ )?(mvn|credential-benchmarks/dispatcher) .*\\s");

    /** What a test does with a block. */
    enum Treatment {
        JAVA,
        YAML,
        JSON,
        XML,
        PROGRAM,
        SESSION,
        COMMAND,
        LAUNCH,
        FORMAT,
        DIAGRAM
    }

    static Stream<Snippet> all(Treatment treatment) {
        return pages().flatMap(Snippet::of)
                .filter(snippet -> snippet.treatments().contains(treatment));
    }

    /** The Java files of a page, which may refer to each other. */
    static List<String> whole(String page) {
        return all(Treatment.JAVA)
                .filter(snippet -> snippet.isWhole() && snippet.page().equals(page))
                .map(Snippet::text)
                .toList();
    }

    boolean isWhole() {
        return text.startsWith("import ");
    }

    /** The command that launches a class of the packaged jar. */
    static String launch(String main) {
        return all(Treatment.LAUNCH)
                .map(Snippet::text)
                .filter(command -> command.contains("-Dloader.main=" + main + " "))
                .findFirst()
                .orElseThrow();
    }

    static Stream<Path> pages() {
        try (Stream<Path> docs = Files.list(Path.of("../docs"))) {
            List<Path> pages = docs.filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            return Stream.of(Stream.of(Path.of("../README.md"), Path.of("../sample-app/README.md")), pages.stream())
                    .flatMap(paths -> paths);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Snippet> of(Path page) {
        String text = read(page);
        List<Snippet> snippets = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(text); block.find(); ) {
            int line = (int) text.substring(0, block.start()).lines().count() + 1;
            snippets.add(new Snippet(page.normalize().toString(), line, block.group(1), block.group(2)));
        }
        assertThat(text.split("```|~~~", -1))
                .as("fences of %s, which start a line", page)
                .hasSize(2 * snippets.size() + 1);
        return snippets.stream();
    }

    private List<Treatment> treatments() {
        return switch (language) {
            case "java" ->
                text.contains("static void main")
                        ? List.of(Treatment.JAVA, Treatment.PROGRAM)
                        : List.of(Treatment.JAVA);
            case "yaml" -> List.of(Treatment.YAML);
            case "json" -> List.of(Treatment.JSON);
            case "xml" -> List.of(Treatment.XML);
            case "sh", "python", "js" -> List.of(Treatment.PROGRAM);
            case "mermaid" -> List.of(Treatment.DIAGRAM);
            case "" -> List.of(treatmentOfText());
            default -> throw new AssertionError("No test reads " + this);
        };
    }

    private Treatment treatmentOfText() {
        if (text.startsWith("$ ")) {
            return Treatment.SESSION;
        }
        if (text.startsWith("java ")) {
            return Treatment.LAUNCH;
        }
        if (COMMAND.matcher(text).matches()) {
            return Treatment.COMMAND;
        }
        assertThat(page).as("No test reads %s", this).endsWith("webhook-signatures.md");
        return Treatment.FORMAT;
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
