package io.credential.spring.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The README names every property, with the default that the metadata gives. */
class ReadmeTests {

    /** Explained in words, since it depends on the mode or on the registries. */
    private static final Map<String, String> DEFAULTS_IN_WORDS =
            Map.of("credential.keyring.create", "`true`, in cluster");

    private static final String REGISTRIES = "credential.api-keys.registries";

    @Test
    void everyPropertyStandsInTheReadmeWithItsDefault() throws IOException {
        List<String> rows = Files.readString(Path.of("../README.md"))
                .lines()
                .filter(line -> line.startsWith("| `credential."))
                .toList();

        List<JsonNode> properties =
                ownMetadata().required("properties").valueStream().toList();

        assertThat(properties).hasSizeGreaterThan(10);
        assertThat(properties).allSatisfy(property -> {
            String name = property.required("name").asString();
            String start = name.startsWith(REGISTRIES) ? "| `" + REGISTRIES : "| `" + name + "` |";
            assertThat(rows).anyMatch(row -> row.startsWith(start) && row.contains(shown(name, property)));
        });
    }

    private static String shown(String name, JsonNode property) {
        JsonNode value = property.path("defaultValue");
        if (DEFAULTS_IN_WORDS.containsKey(name)) {
            return DEFAULTS_IN_WORDS.get(name);
        }
        return value.isMissingNode() || value.isArray() || value.asString().isEmpty()
                ? ""
                : "| `" + value.asString() + "` |";
    }

    private static JsonNode ownMetadata() throws IOException {
        return ReadmeTests.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(ReadmeTests::read)
                .filter(metadata -> metadata.path("properties")
                        .valueStream()
                        .anyMatch(
                                property -> property.required("name").asString().startsWith("credential.")))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode read(URL resource) {
        try (InputStream in = resource.openStream()) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
