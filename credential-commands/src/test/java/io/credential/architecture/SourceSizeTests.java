package io.credential.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** Holds the sizes of the published sources. */
class SourceSizeTests {

    private static final SourceSizes PUBLISHED =
            SourceSizes.of(MainSources.files().toList());

    @Test
    void sourceFileThenHasAtMost400Lines() {
        assertThat(PUBLISHED.longFiles).isEmpty();
    }

    @Test
    void methodThenHasAtMost40Lines() {
        assertThat(PUBLISHED.longMethods).isEmpty();
    }

    @Test
    void constructorThenHasAtMostSevenParameters() {
        assertThat(PUBLISHED.wideConstructors).isEmpty();
    }

    @Test
    void sourceWhenTooLargeThenFound(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("Large.java"),
                "class Large {\n Large(int a, int b, int c, int d, int e, int f, int g, int h) {"
                        + "\n".repeat(SourceSizes.METHOD_LINES)
                        + "}"
                        + "\n".repeat(SourceSizes.FILE_LINES)
                        + "}");

        SourceSizes sizes = SourceSizes.of(List.of(file));

        assertThat(sizes.longFiles).containsExactly("Large");
        assertThat(sizes.longMethods).containsExactly("Large.<init>");
        assertThat(sizes.wideConstructors).containsExactly("Large");
    }
}
