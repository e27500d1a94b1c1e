package io.credential.spring.autoconfigure.apikeys;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.ratelimit.Quota;
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
            key = key.rateLimit(
                    number(limit, "rateLimit.limit"), Duration.ofSeconds(number(limit, "rateLimit.windowSeconds")));
        }
        Object quota = members.remove("quota");
        if (quota != null) {
            key = key.quota(quota(object(quota, "quota")));
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

    private static Quota quota(Map<String, Object> quota) {
        try {
            return new Quota(
                    number(quota, "quota.limit"),
                    Quota.Period.valueOf(String.valueOf(quota.get("period")).toUpperCase(Locale.ROOT)),
                    ZoneId.of(String.valueOf(quota.getOrDefault("zone", "UTC"))));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "quota must have a limit of 1 to " + Quota.MAX_LIMIT + ", the period day or month, and a time zone",
                    e);
        }
    }

    /** @param path its name after that of the object */
    private static int number(Map<String, Object> object, String path) {
        if (object.get(path.substring(path.indexOf('.') + 1)) instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException(path + " must be a whole number");
    }
}
