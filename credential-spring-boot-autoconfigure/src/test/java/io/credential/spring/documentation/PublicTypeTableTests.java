package io.credential.spring.documentation;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;
import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/upgrading.md} lists every public type outside internal packages, and the version since when it exists. */
class PublicTypeTableTests {

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:sealed |non-sealed |abstract |final )*(?:class|interface|record|enum|@interface) (\\w+)",
            Pattern.MULTILINE);

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    private static final Pattern INTERNAL = Pattern.compile("^package [\\w.]+\\.internal[.;]", Pattern.MULTILINE);

    private static final Pattern SINCE = Pattern.compile("^ \\* @since (\\S+)$", Pattern.MULTILINE);

    @Test
    void tableThenListsEveryStableTypeWithItsVersion() {
        Map<String, String> since = new TreeMap<>();
        Set<String> without = new TreeSet<>();
        MainSources.files().forEach(file -> {
            String source = MainSources.read(file);
            Matcher type = PUBLIC_TYPE.matcher(source);
            if (type.find() && !INTERNAL.matcher(source).find()) {
                Matcher version = SINCE.matcher(source.substring(0, type.start()));
                if (version.find()) {
                    since.put(nameOf(source, file, type.group(1)), version.group(1));
                } else {
                    without.add(file.toString());
                }
            }
        });

        assertThat(without)
                .as(
                        "Public types whose Javadoc has no @since; make them package-private, move them to an internal package, or add it")
                .isEmpty();
        assertThat(since).hasSizeGreaterThan(100);
        DocTable.read("upgrading.md", "type").assertColumn("since", since);
    }

    private static String nameOf(String source, Path file, String type) {
        Matcher declaration = PACKAGE.matcher(source);
        assertThat(declaration.find()).as("%s declares its package", file).isTrue();
        return declaration.group(1) + "." + type;
    }
}
