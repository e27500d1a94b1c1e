package io.credential.spring.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.spring.autoconfigure.properties.PropertyMetadata;
import io.credential.testing.DocTable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/properties.md} lists every property, and no other, as the configuration metadata describes it. With
 * {@code -Dcredential.docs.write=true}, the rows of the page are written.
 */
class PropertyTableTests {

    private static final Path PAGE = Path.of("../docs/properties.md");

    private static final Pattern ROW = Pattern.compile("\\| `((?:credential|management)\\.[^`]+)` \\|.*");

    /** The end of a description that the column of defaults repeats. */
    private static final Pattern DEFAULT = Pattern.compile("; [^;]*by default[^;]*$");

    private static final Pattern QUOTED = Pattern.compile("(?<!\\w)'([^']+)'");

    /** Properties without a default value in the metadata: what the table says about them. */
    private static final Map<String, String> DEFAULTS_IN_WORDS = Map.ofEntries(
            Map.entry("credential.api-keys.rate-limits.store", "`memory`, in cluster mode `jdbc`"),
            Map.entry("credential.keyring.create", "`true`, in cluster mode `false`"),
            Map.entry("credential.seal.allow-plain-migration", "empty"),
            Map.entry("credential.cluster.node-id", "host name"),
            Map.entry("credential.cluster.advertised-url", "none"),
            Map.entry("credential.cluster.listen-url", "that of the `DataSource`"),
            Map.entry("credential.api-keys.leak-reports.public-keys", "none"),
            Map.entry("credential.api-keys.leak-reports.public-keys-url", "none"),
            Map.entry("credential.api-keys.accept", "the only registry"),
            Map.entry("credential.api-keys.scopes.known", "empty"),
            Map.entry("credential.api-keys.registries.<>.rate-limit.limit", "none"),
            Map.entry("credential.api-keys.registries.<>.imported-tokens.<>.pattern", "none"),
            Map.entry("credential.api-keys.registries.<>.imported-tokens.<>.lookup-hash", "none"),
            Map.entry("credential.api-keys.registries.<>.imported-tokens.<>.pepper", "none"),
            Map.entry("credential.api-keys.registries.<>.quota.limit", "none"),
            Map.entry("credential.api-keys.registries.<>.max-lifetime", "none"),
            Map.entry("credential.api-keys.registries.<>.disable-after-idle", "none"),
            Map.entry("credential.webhook.dispatcher.allowed-protocols", "`https,http`"),
            Map.entry("credential.webhook.dispatcher.allowed-cidrs", "empty"),
            Map.entry("credential.webhook.dispatcher.proxy", "none"),
            Map.entry("credential.webhook.dispatcher.ssl-bundle", "JDK trust store"),
            Map.entry("credential.webhook.dispatcher.user-agent", "`credential/` and the version"),
            Map.entry("credential.webhook.inbound.<>.paths", "none"),
            Map.entry("credential.webhook.inbound.<>.keys", "none"),
            Map.entry("credential.webhook.inbound.<>.pqc-algorithm", "that of the key"),
            Map.entry(
                    "credential.webhook.inbound.<>.signature-header",
                    "`Webhook-Signature`, for processors `Processor-Signature`"),
            Map.entry("credential.webhook.signers.<>.keys", "none"),
            Map.entry("credential.webhook.signers.<>.default-kid", "the only key"),
            Map.entry("credential.webhook.signers.<>.pqc-algorithm", "that of the key"),
            Map.entry("credential.webhook.signers.<>.http.ssl-bundle", "JDK trust store"));

    private final Map<String, JsonNode> properties = PropertyMetadata.properties();

    @Test
    void tableThenListsEveryProperty() {
        assertThat(properties).hasSizeGreaterThan(70);
        DocTable.read("properties.md", "property").assertListsExactly(properties.keySet());
    }

    @Test
    void rowsWhenGeneratedThenAreThoseOfThePage() throws IOException {
        List<String> page = Files.readAllLines(PAGE);
        List<String> generated = page.stream().map(this::generated).toList();

        if (Boolean.getBoolean("credential.docs.write")) {
            Files.write(PAGE, generated);
        } else {
            assertThat(page)
                    .as("Run this test with -Dcredential.docs.write=true to write docs/properties.md")
                    .isEqualTo(generated);
        }
    }

    /** Returns the row of a property as it should be, and any other line unchanged. */
    private String generated(String line) {
        Matcher row = ROW.matcher(line);
        JsonNode property = row.matches() ? properties.get(row.group(1)) : null;
        if (property == null) {
            return line;
        }
        String name = row.group(1);
        String description = property.required("description").asString();
        return "| `" + name + "` | " + defaultOf(name, property.path("defaultValue")) + " | " + meaning(description)
                + " |";
    }

    /** The description as part of a sentence. */
    private static String meaning(String description) {
        String text = description.substring(0, description.length() - 1);
        text = QUOTED.matcher(DEFAULT.matcher(text).replaceFirst("")).replaceAll("`$1`");
        boolean isAcronym = Character.isUpperCase(text.charAt(1));
        return isAcronym ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String defaultOf(String name, JsonNode value) {
        String words = DEFAULTS_IN_WORDS.get(name.replaceAll("<[^>]*>", "<>"));
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
