package io.credential.webhook.signature.scheme;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * What a JSON object says about itself. Immutable.
 *
 * @param id null if there is none that can be used
 * @param type null if there is none that can be used
 */
record BodyClaims(@Nullable String id, @Nullable String type) {

    static final BodyClaims NONE = new BodyClaims(null, null);

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * Reads texts of the outermost object, and of those within it. If the body is not a JSON object, or names a member
     * twice, the result is empty: what it says is then ambiguous.
     *
     * @param paths names of members; {@code event.type} is the member {@code type} of the member {@code event}
     * @return by path; texts that cannot be an id or a type are left out
     */
    static Map<String, String> texts(byte[] body, Set<String> paths) {
        Map<String, String> found = new HashMap<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (json.nextToken() == JsonToken.START_OBJECT && readMembers(json, "", paths, found)) {
                return json.nextToken() == null ? found : Map.of();
            }
            return Map.of();
        } catch (JacksonException e) {
            return Map.of(); // The signature says nothing about the form of the body: the application judges it.
        }
    }

    private static boolean readMembers(JsonParser json, String prefix, Set<String> paths, Map<String, String> found) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            String path = prefix + name;
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT && prefix.isEmpty()) {
                readMembers(json, path + ".", paths, found);
            } else if (value == JsonToken.VALUE_STRING && paths.contains(path) && name.indexOf('.') < 0) {
                String text = json.getString();
                if (WebhookClaims.isVisible(text)) {
                    found.put(path, text);
                }
            } else {
                json.skipChildren();
            }
        }
        return json.currentToken() == JsonToken.END_OBJECT;
    }
}
