package io.credential.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/architecture.md} shows the code as it is. */
class ArchitecturePageTests {

    private static final Pattern ARROW = Pattern.compile("^ *(\\w+ --> \\w+)$", Pattern.MULTILINE);

    private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z]\\w+)`");

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.credential.webhook.delivery");

    private final String page;

    ArchitecturePageTests() throws IOException {
        this.page = Files.readString(Path.of("../docs/architecture.md"));
    }

    @Test
    void dispatcherDiagramThenShowsEveryArrowAndNoOther() {
        assertThat(found(ARROW)).isEqualTo(new DeliveryRooms("io.credential").arrows(PRODUCTION));
    }

    @Test
    void pageThenNamesOnlyClassesThatExist() {
        Set<String> existing = MainSources.files()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(found(CLASS_NAME)).hasSizeGreaterThan(10).isSubsetOf(existing);
    }

    private Set<String> found(Pattern pattern) {
        return pattern.matcher(page)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
