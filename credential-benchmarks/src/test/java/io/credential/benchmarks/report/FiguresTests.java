package io.credential.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

    private static final Row HELD = new Row("a<b", 1, 2, 4, new Row.Goal("at most", 8, true));
    private static final Row WITHOUT_GOAL = new Row("nothing | measured", 0, 0, 0, null);

    @TempDir
    private Path directory;

    @Test
    void writeWhenRowHasGoalThenTableNamesIt() throws IOException {
        Figures.write(directory, "figures", List.of(HELD));

        assertThat(directory.resolve("figures.md"))
                .content()
                .endsWith("| a<b | 1.00 | 2.00 | 4.00 | at most 8.00: held |\n");
    }

    @Test
    void writeWhenLabelHasPipeThenTableEscapesIt() throws IOException {
        Figures.write(directory, "figures", List.of(WITHOUT_GOAL));

        assertThat(directory.resolve("figures.md"))
                .content()
                .endsWith("| nothing \\| measured | 0.00 | 0.00 | 0.00 |  |\n");
    }

    @Test
    void writeWhenGoalIsLargestThenBarEndsBeforeIt() throws Exception {
        Figures.write(directory, "figures", List.of(HELD, WITHOUT_GOAL));

        Element bar = (Element) image().getElementsByTagName("rect").item(1);
        assertThat(bar.getAttribute("width")).isEqualTo("75.0"); // a quarter of the scale, which ends at the goal
    }

    @Test
    void writePageThenShowsEachChartAndTable() throws IOException {
        Figures.write(directory, "second", List.of(HELD));
        Figures.write(directory, "first", List.of(HELD));

        Figures.writePage(directory, "All");
        Figures.writePage(directory, "All"); // the page is not one of its own parts

        assertThat(directory.resolve("README.md"))
                .content()
                .startsWith("# All\n")
                .containsSubsequence("![first](first.svg)", "| a<b |", "![second](second.svg)", "| a<b |")
                .containsOnlyOnce("first.svg");
    }

    private Document image() throws Exception {
        try (var image = Files.newInputStream(directory.resolve("figures.svg"))) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(image);
        }
    }
}
