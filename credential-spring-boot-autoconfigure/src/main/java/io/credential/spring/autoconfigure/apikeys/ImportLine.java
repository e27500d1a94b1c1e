package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.storage.internal.JsonText;

/** Reads a key to import from a line, which is a JSON object. The messages of its exceptions never contain the hash. */
final class ImportLine {

    private static final int MAX_LENGTH = 65_536;

    private final Map<String, Object> members;

    private ImportLine(Map<String, Object> members) {
        this.members = members;
    }

    /**
     * @throws IllegalArgumentException if it is not the JSON of a key; the message says what is wrong
     * @throws ApiKeyException if a value is out of range
     */
    static KeyImport parse(String line) {
        if (line.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("The line is longer than " + MAX_LENGTH + " characters");
        }
        return new ImportLine(new HashMap<>(JsonText.readObject(line))).key();
    }

    private KeyImport key() {
        ForeignHash hash = ForeignHash.of(algorithm(required("algorithm")), required("hash"));
        IssueRequest key = IssueRequest.forOwner(text("ownerId"))
                .name(text("name"))
                .scopes(texts("scopes"))
                .expiresAt(time("expiresAt"))
                .allowedNetworks(texts("allowedNetworks"));
        Object metadata = members.remove("metadata");
        if (metadata != null) {
            key = key.metadata(object(metadata, "metadata"));
        }
        Object rateLimit = members.remove("rateLimit");
        if (rateLimit != null) {
            Map<String, Object> limit = object(rateLimit, "rateLimit");
            key = key.rateLimit(number(limit, "limit"), Duration.ofSeconds(number(limit, "windowSeconds")));
        }
        KeyImport imported =
                new KeyImport(key, hash, text("lookupId"), time("createdAt"), time("disabledAt"), time("lastUsedAt"));
        if (!members.isEmpty()) {
            throw new IllegalArgumentException(
                    "Unknown member: " + members.keySet().iterator().next());
        }
        return imported;
    }

    private static ForeignHashAlgorithm algorithm(String text) {
        return Stream.of(ForeignHashAlgorithm.values())
                .filter(algorithm -> algorithm.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("algorithm must be one of: "
                        + Stream.of(ForeignHashAlgorithm.values())
                                .map(ForeignHashAlgorithm::text)
                                .collect(Collectors.joining(", "))));
    }

    private String required(String name) {
        String text = text(name);
        if (text == null) {
            throw new IllegalArgumentException(name + " is required");
        }
        return text;
    }

    private @Nullable String text(String name) {
        Object value = members.remove(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new IllegalArgumentException(name + " must be a string");
    }

    private List<String> texts(String name) {
        Object value = members.remove(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException(name + " must be an array of strings");
    }

    private @Nullable Instant time(String name) {
        String text = text(name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(name + " must be a time in UTC such as 2026-01-31T12:00:00Z", e);
        }
    }

    @SuppressWarnings("unchecked") // the members of JSON objects have names
    private static Map<String, Object> object(Object value, String name) {
        if (value instanceof Map<?, ?> object) {
            return (Map<String, Object>) object;
        }
        throw new IllegalArgumentException(name + " must be an object");
    }

    private static int number(Map<String, Object> object, String name) {
        if (object.get(name) instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException("rateLimit." + name + " must be a whole number");
    }
}
