package io.credential.spring.documentation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.testing.DocTable;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/properties.md} lists every property, and no other, with the default of the configuration metadata. */
class PropertyTableTests {

    /** Properties without a default value in the metadata: what the table says about them. */
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
    void tableListsEveryPropertyWithItsDefault() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (JsonNode property : ownMetadata().required("properties")) {
            expect(expected, "", property);
        }

        assertThat(expected).hasSizeGreaterThan(70);
        DocTable.read("properties.md", "property").assertColumn("default", expected);
    }

    /** The properties of the values of a map are described in a file named after the type of the value. */
    private static void expect(Map<String, String> expected, String prefix, JsonNode property) {
        String name = prefix + property.required("name").asString();
        Matcher entries = MAP_OF_RECORDS.matcher(property.required("type").asString());
        URL entry = entries.matches() ? description(entries.group(1)) : null;
        if (entry != null) {
            String key = name.endsWith(".registries") ? ".<namespace>." : ".<name>.";
            read(entry).required("properties").forEach(inner -> expect(expected, name + key, inner));
        } else {
            expected.put(name, defaultOf(name, property.path("defaultValue")));
        }
    }

    private static String defaultOf(String name, JsonNode value) {
        String words = DEFAULTS_IN_WORDS.get(name.replaceAll("<.*>", "<>"));
        if (words != null) {
            return words;
        }
        String text = value.asString("");
        assertThat(text)
                .as("Property %s has no default value in the metadata: add words for it to DEFAULTS_IN_WORDS", name)
                .isNotEmpty();
        return "`" + text + "`";
    }

    private static @Nullable URL description(String type) {
        return PropertyTableTests.class
                .getClassLoader()
                .getResource("META-INF/spring/configuration-metadata/" + type + ".json");
    }

    private static JsonNode ownMetadata() throws IOException {
        return PropertyTableTests.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(PropertyTableTests::read)
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
