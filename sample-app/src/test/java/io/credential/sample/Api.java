package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.testing.Patience;

/** Calls the sample over real HTTP, the way an outside program does: with no class of the application. */
final class Api {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client;
    private final URI base;
    private final @Nullable String key;

    Api(int port) {
        this(
                HttpClient.newBuilder().connectTimeout(Patience.LIMIT).build(),
                URI.create("http://localhost:" + port),
                null);
    }

    private Api(HttpClient client, URI base, @Nullable String key) {
        this.client = client;
        this.base = base;
        this.key = key;
    }

    Api with(String key) {
        return new Api(client, base, key);
    }

    Api withoutKey() {
        return new Api(client, base, null);
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer delete(String path) {
        return send(request(path).DELETE());
    }

    Answer post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** Posts an object as JSON. */
    Answer post(String path, Map<String, ?> body) {
        return postText(path, JSON.writeValueAsString(body));
    }

    /** Posts any text under the content type of JSON. */
    Answer postText(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(Patience.LIMIT);
        return key == null ? request : request.header("X-API-Key", key);
    }

    Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.headers().firstValue("WWW-Authenticate").orElse(""),
                    response.headers(),
                    response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for an answer", e);
        }
    }

    /** What came back. */
    record Answer(int status, String contentType, String challenge, HttpHeaders headers, String body) {

        /** Null when there is none. */
        @Nullable String header(String name) {
            return headers.firstValue(name).orElse(null);
        }

        /** To compare answers by all but the time at which they were given. */
        Answer undated() {
            return new Answer(
                    status,
                    contentType,
                    challenge,
                    HttpHeaders.of(headers.map(), (name, value) -> !name.equalsIgnoreCase("Date")),
                    body);
        }

        JsonNode json() {
            return JSON.readTree(body);
        }

        /** A member of the answer that must be a text. */
        String text(String member) {
            return json().required(member).asString();
        }
    }
}
