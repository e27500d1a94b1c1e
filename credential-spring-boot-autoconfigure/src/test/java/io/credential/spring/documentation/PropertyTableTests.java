package io.credential.spring.documentation;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.spring.autoconfigure.PropertyMetadata;
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

    @Test
    void tableListsEveryPropertyWithItsDefault() {
        Map<String, String> expected = new TreeMap<>();
        PropertyMetadata.properties()
                .forEach((name, property) -> expected.put(name, defaultOf(name, property.path("defaultValue"))));

        assertThat(expected).hasSizeGreaterThan(70);
        DocTable.read("properties.md", "property").assertColumn("default", expected);
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
}
