package io.credential.webhook.signature.key.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The cases of a Wycheproof file, each with the group it belongs to. */
final class Wycheproof {

    private Wycheproof() {}

    /** Every case of the file, counted against what the file says it holds. */
    static Stream<Arguments> cases(String file) {
        JsonNode root = read(file);
        Stream.Builder<Arguments> cases = Stream.builder();
        int count = 0;
        for (JsonNode group : root.get("testGroups")) {
            for (JsonNode test : group.get("tests")) {
                String name = "#" + test.get("tcId").asInt() + " "
                        + test.get("comment").asString();
                cases.add(Arguments.argumentSet(name, group, test));
                count++;
            }
        }
        if (count != root.get("numberOfTests").asInt()) {
            throw new IllegalStateException(file + " does not hold as many cases as it says");
        }
        return cases.build();
    }

    static byte[] hex(JsonNode node, String field) {
        return HexFormat.of().parseHex(node.get(field).asString());
    }

    static boolean isValid(JsonNode test) {
        return test.get("result").asString().equals("valid");
    }

    private static JsonNode read(String file) {
        try (InputStream stream = Wycheproof.class.getResourceAsStream("/wycheproof/" + file)) {
            return JsonMapper.builder().build().readTree(Objects.requireNonNull(stream, file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
