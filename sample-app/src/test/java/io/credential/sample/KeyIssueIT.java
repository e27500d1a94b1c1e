package io.credential.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How API keys are issued. */
@SampleTest
class KeyIssueIT extends KeyFixture {

    KeyIssueIT(RunningSample running) {
        super(running);
    }

    @Test
    void issueThenAnswersWithTheKeyAndNothingThatIsAbsent() {
        long before = Instant.now().toEpochMilli();

        Answer answer = admin.post(
                "/keys",
                Map.of("ownerId", "user-1", "scopes", List.of("orders:read"), "metadata", Map.of("plan", "gold")));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.contentType()).isEqualTo("application/json");
        JsonNode issued = answer.json();
        assertThat(issued.propertyNames()).containsExactlyInAnyOrder("id", "key", "scopes", "metadata", "createdAt");
        assertThat(issued.required("id").asString()).matches("[0-9a-f]{16}");
        assertThat(issued.required("key").asString())
                .matches("bk_live_" + issued.required("id").asString() + "_[0-9a-f]{32}");
        assertThat(texts(issued.required("scopes"))).containsExactly("orders:read");
        assertThat(issued.required("metadata").required("plan").asString()).isEqualTo("gold");
        assertThat(issued.required("createdAt").isIntegralNumber()).isTrue();
        assertThat(issued.required("createdAt").asLong())
                .isBetween(before, Instant.now().toEpochMilli());
    }

    @Test
    void metadataThenComesBackAsItWasGiven() {
        String metadata = "{\"plan\":\"gold\",\"seats\":3,\"ratio\":0.5,\"trial\":false,\"note\":null,"
                + "\"tags\":[\"a\",null],\"limits\":{\"daily\":10}}";

        Answer issued = admin.postText("/keys", "{\"ownerId\":\"user-20\",\"metadata\":" + metadata + "}");

        assertThat(issued.json().required("metadata").toString()).isEqualTo(metadata);
        assertThat(admin.get("/keys/" + issued.text("id"))
                        .json()
                        .required("metadata")
                        .toString())
                .isEqualTo(metadata);
    }

    @Test
    void timesThenAreUnixMillisecondsInAndOut() {
        long expiresAt = Instant.now().plus(Duration.ofDays(1)).toEpochMilli();

        Answer issued = admin.post("/keys", Map.of("ownerId", "user-2", "expiresAt", expiresAt));

        assertThat(issued.json().required("expiresAt").asLong()).isEqualTo(expiresAt);
        assertThat(admin.get("/keys/" + issued.text("id"))
                        .json()
                        .required("expiresAt")
                        .asLong())
                .isEqualTo(expiresAt);
    }

    @Test
    void issueWhenNamedThenNameAndCreatorAreShown() {
        Answer issued = admin.post("/keys", Map.of("ownerId", "user-22", "name", "laptop"));
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        assertThat(issued.text("name")).isEqualTo("laptop");

        JsonNode key = admin.get("/keys/" + issued.text("id")).json();

        assertThat(key.required("name").asString()).isEqualTo("laptop");
        assertThat(key.required("createdBy").asString())
                .isEqualTo("api-key:" + admin.get("/whoami").text("id"));
        assertThat(admin.get("/keys/" + issue("user-22").text("id")).json().has("name"))
                .isFalse();
        for (String name : List.of("", "x".repeat(129))) {
            assertProblem(admin.post("/keys", Map.of("ownerId", "user-22", "name", name)), 400, "api-key/bad-opt");
        }
    }
}
