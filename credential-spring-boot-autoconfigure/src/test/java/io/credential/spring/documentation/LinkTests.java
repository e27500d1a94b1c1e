package io.credential.spring.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The links between the READMEs and the pages under {@code docs} lead somewhere. */
class LinkTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

    @Test
    void relativeLinkThenLeadsToFileAndHeading() {
        Set<String> broken = new TreeSet<>();
        pages().forEach(page -> {
            Matcher link = LINK.matcher(read(page));
            while (link.find()) {
                Path target = link.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(link.group(1)).normalize();
                String anchor = link.group(2);
                if (!Files.exists(target) || (anchor != null && !anchors(target).contains(anchor))) {
                    broken.add(page + ": " + link.group());
                }
            }
        });

        assertThat(broken).isEmpty();
    }

    private static Stream<Path> pages() {
        return Stream.of(
                        markdown(ROOT, 1),
                        markdown(ROOT.resolve("docs"), 2),
                        markdown(ROOT.resolve("sample-app"), 1),
                        markdown(ROOT.resolve("credential-benchmarks"), 1))
                .flatMap(files -> files);
    }

    private static Stream<Path> markdown(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The anchors of a page: those that are written out, and those that GitHub makes of headings. */
    private static Set<String> anchors(Path page) {
        String text = read(page);
        Set<String> anchors = new TreeSet<>();
        HEADING.matcher(text)
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{Alnum} _-]", "").replace(' ', '-'))
                .forEach(anchors::add);
        ANCHOR.matcher(text).results().map(anchor -> anchor.group(1)).forEach(anchors::add);
        return anchors;
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
