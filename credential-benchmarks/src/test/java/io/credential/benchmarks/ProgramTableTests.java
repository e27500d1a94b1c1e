package io.credential.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;
import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** The README of this module lists every program. Classes with a main method that are not public are started by one. */
class ProgramTableTests {

    private static final Path SOURCES = Path.of("src/main/java/io/credential/benchmarks");

    private static final Pattern PROGRAM = Pattern.compile(
            "^public final class (\\w+) .*^    public static void main\\(String\\[] ",
            Pattern.DOTALL | Pattern.MULTILINE);

    @Test
    void tableThenListsEveryProgram() throws IOException {
        List<String> programs;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            programs = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(ProgramTableTests::program)
                    .toList();
        }

        assertThat(programs).hasSizeGreaterThan(10);
        DocTable.read("../credential-benchmarks/README.md", "program").assertListsExactly(programs);
    }

    private static Stream<String> program(Path file) {
        Matcher program = PROGRAM.matcher(MainSources.read(file));
        String folder = SOURCES.relativize(file.getParent()).toString();
        return program.find() ? Stream.of(folder + "." + program.group(1)) : Stream.empty();
    }
}
