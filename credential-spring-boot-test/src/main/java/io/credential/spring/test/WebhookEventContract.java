package io.credential.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.webhook.event.WebhookEventCatalog;

/**
 * The JSON Schema of all typed events in a file that is committed with the source code. A test compares it with the catalogue,
 * so that no change breaks receivers unnoticed. Thread-safe, apart from the file.
 *
 * @since 0.1.0
 */
public final class WebhookEventContract {

    /** The system property with which {@link #assertKeptBy} writes the file, unless a change is incompatible. */
    public static final String WRITE_PROPERTY = "webhook-events.write";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path file;

    private WebhookEventContract(Path file) {
        this.file = file;
    }

    /** @param file relative to the working directory of the test, which is the directory of the module */
    public static WebhookEventContract of(Path file) {
        return new WebhookEventContract(file);
    }

    /**
     * Asserts that receivers that rely on the file can read the events of the catalogue, and that the file is current. With the
     * system property {@link #WRITE_PROPERTY} set to {@code true}, writes a file that is missing or not current instead.
     *
     * @throws AssertionError if an event type has an incompatible change, or the file is missing or not current
     */
    public void assertKeptBy(WebhookEventCatalog catalog) {
        if (Files.exists(file)) {
            JsonNode committed = committed();
            JsonNode current = JSON.readTree(catalog.jsonSchema());
            List<String> incompatibilities = SchemaComparison.incompatibilities(committed, current);
            if (!incompatibilities.isEmpty()) {
                throw new AssertionError("Receivers that rely on " + file + " cannot read these events:\n  "
                        + String.join("\n  ", incompatibilities)
                        + "\nKeep the event type, and dispatch the change under a new one. To change it nevertheless, delete"
                        + " the file and " + remedy());
            }
            if (committed.equals(current)) {
                return;
            }
        }
        if (!Boolean.getBoolean(WRITE_PROPERTY)) {
            throw new AssertionError(file
                    + (Files.exists(file) ? " is not current. All changes are compatible: " : " is missing: ")
                    + remedy());
        }
        write(catalog);
    }

    /**
     * Returns the changes with which receivers that rely on the file cannot read the events of the catalogue, each with the event
     * type and the path of the property.
     *
     * @throws AssertionError if the file cannot be read, or is not JSON
     */
    public List<String> incompatibilities(WebhookEventCatalog catalog) {
        return SchemaComparison.incompatibilities(committed(), JSON.readTree(catalog.jsonSchema()));
    }

    /**
     * Writes the file, and creates its directory.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void write(WebhookEventCatalog catalog) {
        try {
            Path directory = file.getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, catalog.jsonSchema() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode committed() {
        try {
            return JSON.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        } catch (JacksonException e) {
            throw new AssertionError(file + " is not a JSON Schema of webhook events", e);
        }
    }

    private static String remedy() {
        return "run this test with -D" + WRITE_PROPERTY + "=true, and commit the file.";
    }
}
