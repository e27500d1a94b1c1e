package io.credential.keyring.internal;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;

/**
 * A keyring as JSON: {@code {"version": 1, "active": id, "keys": {id: base64}, "index": {"active": id,
 * "keys": {id: base64}}}}.
 */
final class KeyringJson {

    private static final int VERSION = 1;
    private static final int KEY_BYTES = 32;
    private static final String FIRST_KEY = "k1";
    private static final String FIRST_INDEX_KEY = "i1";
    private static final Set<String> MEMBERS = Set.of("version", "active", "keys", "index");
    private static final Set<String> INDEX_MEMBERS = Set.of("active", "keys");

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private KeyringJson() {}

    /** Returns the text of a keyring with new keys, for the caller to wipe. */
    static byte[] generate(SecureRandom random) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("version", VERSION);
        members.put("active", FIRST_KEY);
        members.put("keys", Map.of(FIRST_KEY, randomKey(random)));
        Map<String, Object> index = new LinkedHashMap<>();
        index.put("active", FIRST_INDEX_KEY);
        index.put("keys", Map.of(FIRST_INDEX_KEY, randomKey(random)));
        members.put("index", index);
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(members);
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, without quoting anything that could be a key
     */
    static Keyring parse(byte[] json) {
        JsonNode root = tree(json);
        requireMembers(
                root,
                MEMBERS,
                "it must be a JSON object with the members version, active, keys and index, and no other");
        JsonNode version = root.path("version");
        require(version.isInt() && version.intValue() == VERSION, "it must have the version " + VERSION);
        JsonNode index = root.path("index");
        requireMembers(
                index, INDEX_MEMBERS, "it must have an index that is an object with only the members active and keys");

        List<SecretBytes> opened = new ArrayList<>();
        try {
            return Keyring.of(activeId(root), keys(root, opened), activeId(index), keys(index, opened));
        } finally {
            opened.forEach(SecretBytes::close);
        }
    }

    private static String activeId(JsonNode ring) {
        require(ring.path("active").isString(), "it must have strings as active key ids");
        return ring.path("active").stringValue();
    }

    private static Map<String, SecretBytes> keys(JsonNode ring, List<SecretBytes> opened) {
        require(ring.path("keys").isObject(), "it must have objects that map each key id to its key");
        Map<String, SecretBytes> keys = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : ring.path("keys").properties()) {
            SecretBytes key = key(entry.getValue());
            opened.add(key);
            keys.put(entry.getKey(), key);
        }
        return keys;
    }

    private static JsonNode tree(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (JacksonException e) {
            // Jackson quotes the input, so neither its message nor the exception may be passed on.
            throw new IllegalArgumentException("it must be valid JSON without duplicate members" + position(e));
        }
    }

    private static String position(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : "; the error is at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static SecretBytes key(JsonNode node) {
        SecretBytes key = SecretBytes.copyAndWipe(node.isString() ? decode(node.stringValue()) : new byte[0]);
        require(key.length() == KEY_BYTES, "it must have only keys of " + KEY_BYTES + " bytes in base64");
        return key;
    }

    /** Returns an empty array if it is malformed. */
    private static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            // Its message quotes the character; the caller says that a key is malformed.
            return new byte[0];
        }
    }

    private static String randomKey(SecureRandom random) {
        try (SecretBytes key = SecretBytes.random(KEY_BYTES, random)) {
            return key.use(Base64.getEncoder()::encodeToString);
        }
    }

    private static void requireMembers(JsonNode node, Set<String> members, String rule) {
        require(node.isObject() && members.equals(Set.copyOf(node.propertyNames())), rule);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
