package io.credential.spring.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The README names every property, and no other, with the default that the metadata gives. */
class ReadmeTests {

    /** What is empty in the metadata means something, which the README says in words. */
    private static final Map<String, String> DEFAULTS_IN_WORDS = Map.ofEntries(
            Map.entry("credential.keyring.create", "`true`, in cluster mode `false`"),
            Map.entry("credential.seal.allow-plain-migration", "empty"),
            Map.entry("credential.cluster.node-id", "host name"),
            Map.entry("credential.cluster.advertised-url", "none"),
            Map.entry("credential.api-keys.accept", "the only registry"),
            Map.entry("credential.webhook.dispatcher.allowed-protocols", "`https,http`"),
            Map.entry("credential.webhook.dispatcher.allowed-cidrs", "empty"),
            Map.entry("credential.webhook.dispatcher.proxy", "none"),
            Map.entry("credential.webhook.dispatcher.ssl-bundle", "the JDK's trust"),
            Map.entry("credential.webhook.inbound.<>.paths", "none"),
            Map.entry("credential.webhook.inbound.<>.keys", "none"),
            Map.entry("credential.webhook.inbound.<>.pqc-algorithm", "that of the key"),
            Map.entry(
                    "credential.webhook.inbound.<>.signature-header",
                    "`Webhook-Signature`, for processors `Processor-Signature`"),
            Map.entry("credential.webhook.signers.<>.keys", "none"),
            Map.entry("credential.webhook.signers.<>.default-kid", "the only key"),
            Map.entry("credential.webhook.signers.<>.pqc-algorithm", "that of the key"),
            Map.entry("credential.webhook.signers.<>.http.ssl-bundle", "the JDK's trust"));

    private static final Pattern MAP_OF_RECORDS = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(io\\..+)>");

    @Test
    void everyPropertyStandsInTheReadmeWithItsDefault() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (JsonNode property : ownMetadata().required("properties")) {
            expect(expected, "", property);
        }

        assertThat(expected).hasSizeGreaterThan(20);
        assertThat(shown()).containsExactlyEntriesOf(expected);
    }

    /** The properties of a map's entries are described in a file of their own, by the type of the entry. */
    private static void expect(Map<String, String> expected, String prefix, JsonNode property) {
        String name = prefix + property.required("name").asString();
        Matcher entries = MAP_OF_RECORDS.matcher(property.required("type").asString());
        URL entry = entries.matches() ? description(entries.group(1)) : null;
        if (entry != null) {
            read(entry).required("properties").forEach(inner -> expect(expected, name + ".<>.", inner));
        } else {
            JsonNode value = property.path("defaultValue");
            expected.put(name, DEFAULTS_IN_WORDS.getOrDefault(name, "`" + value.asString("") + "`"));
        }
    }

    private static @Nullable URL description(String type) {
        return ReadmeTests.class
                .getClassLoader()
                .getResource("META-INF/spring/configuration-metadata/" + type + ".json");
    }

    /** Default by name. A row may hold several names, with one default for each or one for all. */
    private static Map<String, String> shown() throws IOException {
        Map<String, String> shown = new TreeMap<>();
        String group = "";
        for (String row : Files.readAllLines(Path.of("../README.md"))) {
            if (!row.startsWith("| `credential.") && !row.startsWith("| `….")) {
                continue;
            }
            String[] cells = row.split(" *\\| *", -1);
            List<String> names = codes(cells[1]);
            if (names.get(0).startsWith("credential.")) {
                group = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
            }
            String[] defaults = names.size() == 1 ? new String[] {cells[2]} : cells[2].split(", ", -1);
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i).replace("…", group).replaceAll("<.*>", "<>");
                shown.put(name, defaults[defaults.length == 1 ? 0 : i]);
            }
        }
        return shown;
    }

    private static List<String> codes(String cell) {
        return Arrays.stream(cell.split(", ", -1))
                .map(code -> code.replace("`", ""))
                .toList();
    }

    private static JsonNode ownMetadata() throws IOException {
        return ReadmeTests.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(ReadmeTests::read)
                .filter(metadata -> names(metadata).anyMatch(name -> name.startsWith("credential.")))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> names(JsonNode metadata) {
        return metadata.path("properties")
                .valueStream()
                .map(property -> property.required("name").asString());
    }

    private static JsonNode read(URL resource) {
        try (InputStream in = resource.openStream()) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
