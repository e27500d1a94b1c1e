package io.credential.spring.leak.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

import io.credential.apikey.leak.internal.LeakReport;

/** Reads the JSON of partners. Unknown members are ignored; a member that is there twice is ambiguous, so it is rejected. */
final class ReportJson {

    private static final int MAX_KEYS = 100;
    private static final int MAX_TYPE = 255;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // All parsers would share a table of names, which fails if many of them have the same hash.
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxStringLength(16 * 1024)
                    .maxNameLength(256)
                    .maxNumberLength(100)
                    .build())
            .build();

    private ReportJson() {}

    /**
     * @throws TooManyReportsException before more are read
     * @throws MalformedReportException if this is not an array of reports
     */
    static List<ReportedLeak> readReports(byte[] body, int maxReports) {
        return read(body, json -> {
            List<ReportedLeak> reports = new ArrayList<>();
            expect(json.nextToken() == JsonToken.START_ARRAY, "The body is not an array");
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (reports.size() == maxReports) {
                    throw new TooManyReportsException();
                }
                reports.add(report(readTexts(json)));
            }
            return reports;
        });
    }

    private static ReportedLeak report(Map<String, String> texts) {
        String token = texts.get("token");
        String type = texts.getOrDefault("type", "");
        if (token == null || type.length() > MAX_TYPE) {
            throw new MalformedReportException(
                    "An element has no 'token', or its 'type' is longer than " + MAX_TYPE + " characters");
        }
        return new ReportedLeak(type, new LeakReport(token, texts.get("source"), texts.get("url")));
    }

    /**
     * @throws MalformedReportException if this is not an object with an array of keys
     */
    static Map<String, ReportKey> readKeys(byte[] body) {
        return read(body, json -> {
            Map<String, ReportKey> keys = new HashMap<>();
            expect(json.nextToken() == JsonToken.START_OBJECT, "The body is not an object");
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (!name.equals("public_keys")) {
                    json.skipChildren();
                    continue;
                }
                expect(value == JsonToken.START_ARRAY, "'public_keys' is not an array");
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    expect(keys.size() < MAX_KEYS, "There are more than " + MAX_KEYS + " keys");
                    addKey(keys, readTexts(json));
                }
            }
            return keys;
        });
    }

    private static void addKey(Map<String, ReportKey> keys, Map<String, String> texts) {
        String id = texts.get("key_identifier");
        String pem = texts.get("key");
        if (id == null || pem == null) {
            throw new MalformedReportException("A key lacks 'key_identifier' or 'key'");
        }
        try {
            expect(keys.put(id, ReportKey.fromPem(pem)) == null, "Two keys have the same 'key_identifier'");
        } catch (IllegalArgumentException e) {
            throw new MalformedReportException("A key cannot be used: " + e.getMessage());
        }
    }

    /** Returns the members of an object that are texts. */
    private static Map<String, String> readTexts(JsonParser json) {
        expect(json.currentToken() == JsonToken.START_OBJECT, "An element of the array is not an object");
        Map<String, String> texts = new HashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_STRING) {
                texts.put(name, json.getString());
            } else {
                json.skipChildren();
            }
        }
        return texts;
    }

    private interface Reader<T> {
        T read(JsonParser json);
    }

    private static <T> T read(byte[] body, Reader<T> reader) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            T value = reader.read(json);
            expect(json.nextToken() == null, "Something follows the JSON");
            return value;
        } catch (JacksonException e) {
            // Jackson quotes the text, which contains tokens: neither message nor cause may carry it.
            throw new MalformedReportException("The body is not valid JSON, or exceeds a limit");
        }
    }

    private static void expect(boolean holds, @Nullable String otherwise) {
        if (!holds) {
            throw new MalformedReportException(String.valueOf(otherwise));
        }
    }

    /** Thrown if a request has more reports than it may. */
    static final class TooManyReportsException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
