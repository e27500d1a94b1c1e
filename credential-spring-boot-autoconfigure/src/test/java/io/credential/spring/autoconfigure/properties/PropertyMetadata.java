package io.credential.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The configuration metadata that the build has generated. */
public final class PropertyMetadata {

    private static final Pattern MAP_OF_RECORDS = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(io\\..+)>");

    private PropertyMetadata() {}

    /**
     * Every property by its name. What is below a name that users choose is written with {@code <namespace>} or {@code
     * <name>} in its place.
     */
    public static Map<String, JsonNode> properties() {
        Map<String, JsonNode> properties = new TreeMap<>();
        own().required("properties").forEach(property -> add(properties, "", property));
        return properties;
    }

    /**
     * Returns the names of all properties but those of its Actuator endpoints, which Spring Boot binds, and those of the
     * console, which are bound only with its module: {@code ConsolePropertiesTests} is there.
     */
    public static Set<String> boundHere() {
        return properties().keySet().stream()
                .filter(name -> name.startsWith("credential.") && !name.startsWith("credential.console."))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The properties of the values of a map are described in a file named after the type of the value. */
    private static void add(Map<String, JsonNode> properties, String prefix, JsonNode property) {
        String name = prefix + property.required("name").asString();
        Matcher entries = MAP_OF_RECORDS.matcher(property.required("type").asString());
        URL entry = entries.matches() ? description(entries.group(1)) : null;
        if (entry == null) {
            properties.put(name, property);
        } else {
            String key = name.endsWith(".registries") ? ".<namespace>." : ".<name>.";
            read(entry).required("properties").forEach(inner -> add(properties, name + key, inner));
        }
    }

    private static @Nullable URL description(String type) {
        return PropertyMetadata.class
                .getClassLoader()
                .getResource("META-INF/spring/configuration-metadata/" + type + ".json");
    }

    /** Others on the class path have a resource of the same name. */
    private static JsonNode own() {
        return PropertyMetadata.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(PropertyMetadata::read)
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
