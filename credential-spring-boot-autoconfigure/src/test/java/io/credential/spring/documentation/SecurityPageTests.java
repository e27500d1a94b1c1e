package io.credential.spring.documentation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;
import io.credential.testing.ModuleFolders;

import static org.assertj.core.api.Assertions.assertThat;

/** Every defence that {@code docs/security.md} claims names a test class, and every class that it names exists. */
class SecurityPageTests {

    private static final Pattern CLASS_NAME = Pattern.compile("`((?:[a-z]+\\.)*[A-Z][A-Za-z0-9]+)`");

    @Test
    void defenceThenNamesTestClassThatExists() {
        Set<String> existing = testFiles();
        Set<String> unproven = new TreeSet<>();
        Set<String> missing = new TreeSet<>();
        Map<String, String> claims =
                new LinkedHashMap<>(DocTable.read("security.md", "attack").column("proven by"));
        claims.putAll(DocTable.read("security.md", "table").column("shown by"));
        claims.forEach((attack, tests) -> {
            Set<String> named = new TreeSet<>();
            Matcher name = CLASS_NAME.matcher(tests);
            while (name.find()) {
                named.add(name.group(1));
            }
            if (named.isEmpty()) {
                unproven.add(attack);
            }
            named.stream().filter(test -> !existsIn(existing, test)).forEach(missing::add);
        });

        assertThat(unproven)
                .as("Defences in docs/security.md that name no test class")
                .isEmpty();
        assertThat(missing)
                .as("Test classes that docs/security.md names and that do not exist")
                .isEmpty();
    }

    /** A name may begin with the last part of the package, where two classes have the same simple name. */
    private static boolean existsIn(Set<String> files, String test) {
        String end = "/" + test.replace('.', '/') + ".java";
        return files.stream().anyMatch(file -> file.endsWith(end));
    }

    private static Set<String> testFiles() {
        return ModuleFolders.all("src/test/java").stream()
                .flatMap(SecurityPageTests::walk)
                .map(file -> file.toString().replace(File.separatorChar, '/'))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> walk(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
