package io.credential.sample;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** An administrator who issues keys. */
abstract class KeyFixture {

    final Api api;
    final Api admin;

    KeyFixture(RunningSample running) {
        api = running.api;
        admin = running.admin;
    }

    Answer issue(String owner, String... scopes) {
        return issue(admin, owner, scopes);
    }

    static Answer issue(Api admin, String owner, String... scopes) {
        Answer issued = admin.post("/keys", Map.of("ownerId", owner, "scopes", List.of(scopes)));
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        return issued;
    }

    /** Issues a key for as short a time as this machine manages, and waits until it has expired. */
    Answer issueExpired(String ownerId) {
        for (long millis = 500; millis < Patience.LIMIT.toMillis(); millis *= 2) {
            Answer issued = admin.post(
                    "/keys",
                    Map.of(
                            "ownerId",
                            ownerId,
                            "scopes",
                            List.of("orders:read"),
                            "expiresAt",
                            Instant.now().toEpochMilli() + millis));
            if (issued.status() == 201) {
                Patience.until(() -> api.with(issued.text("key")).get("/whoami").status() == 401);
                return issued;
            }
        }
        throw new AssertionError("No key was issued");
    }

    static String json(String withSingleQuotes) {
        return withSingleQuotes.replace('\'', '"');
    }

    static String secret(String key) {
        return key.substring(key.lastIndexOf('_') + 1);
    }

    static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
