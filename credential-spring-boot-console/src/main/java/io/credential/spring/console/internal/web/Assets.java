package io.credential.spring.console.internal.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The script and the style sheet. They are not below {@code META-INF/resources}, where the application would serve them even
 * if the console is disabled. Their names contain a hash of their content, so that browsers can keep them.
 */
public final class Assets {

    private final String style;
    private final String script;
    private final Map<String, Asset> byName;

    private Assets(Asset style, Asset script) {
        this.style = style.name();
        this.script = script.name();
        this.byName = Map.of(style.name(), style, script.name(), script);
    }

    /** @param content shared: must not be changed */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares assets
    record Asset(String name, String contentType, byte[] content) {}

    static Assets load() {
        return new Assets(load("console", "css", "text/css"), load("console", "js", "text/javascript"));
    }

    /** Returns the name of the style sheet. */
    public String style() {
        return style;
    }

    /** Returns the name of the script. */
    public String script() {
        return script;
    }

    Optional<Asset> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    private static Asset load(String name, String extension, String contentType) {
        try (InputStream stream = Assets.class.getResourceAsStream(name + "." + extension)) {
            if (stream == null) {
                throw new IllegalStateException("The jar of the console is incomplete: " + name + "." + extension);
            }
            byte[] content = stream.readAllBytes();
            return new Asset(
                    name + "-" + Fingerprint.of(content) + "." + extension,
                    contentType + ";charset=" + StandardCharsets.UTF_8.name(),
                    content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
