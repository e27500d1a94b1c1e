package io.credential.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How API keys are rotated, revoked, disabled, purged and resealed. */
@SampleTest
class KeyLifecycleIT extends KeyFixture {

    private static final String UNKNOWN_ID = "0123456789abcdef";

    KeyLifecycleIT(RunningSample running) {
        super(running);
    }

    @Test
    void rotateWhenGracefulThenOldSecretWorksAndIsMarked() {
        Answer issued = issue("user-11");
        long before = Instant.now().toEpochMilli();

        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true));

        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.json().propertyNames())
                .containsExactlyInAnyOrder("id", "key", "gracePeriod", "secondaryExpiresAt");
        long week = Duration.ofDays(7).toMillis();
        assertThat(rotated.json().required("gracePeriod").asLong()).isEqualTo(week);
        assertThat(rotated.json().required("secondaryExpiresAt").asLong())
                .isBetween(before + week, Instant.now().toEpochMilli() + week);
        assertThat(rotated.text("id")).isEqualTo(issued.text("id"));
        assertThat(api.with(rotated.text("key"))
                        .get("/whoami")
                        .json()
                        .required("usedSecondary")
                        .asBoolean())
                .isFalse();
        assertThat(api.with(issued.text("key"))
                        .get("/whoami")
                        .json()
                        .required("usedSecondary")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void rotateWhenImmediateThenOnlyTheNewSecretWorks() {
        Answer issued = issue("user-12");

        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", false));

        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.json().propertyNames()).containsExactlyInAnyOrder("id", "key", "gracePeriod");
        assertThat(rotated.json().required("gracePeriod").asLong()).isZero();
        assertThat(api.with(rotated.text("key")).get("/whoami").status()).isEqualTo(200);
        assertThat(api.with(issued.text("key")).get("/whoami").status()).isEqualTo(401);
    }

    @Test
    void rotateWhenExpiredThenConflict() {
        Answer issued = issueExpired("user-14");

        assertProblem(
                admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true)), 409, "api-key/expired");
    }

    static final List<String> BAD_ROTATIONS = Stream.of(
                    "",
                    "{}",
                    "{'graceful':null}",
                    "{'graceful':'yes'}",
                    "{'graceful':'true'}",
                    "{'graceful':1}",
                    "{'graceful':true,'grace':1}",
                    "[true]")
            .map(KeyFixture::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ROTATIONS")
    void rotateWhenBodyIsBadThenBadRequestAndNoRotation(String body) {
        Answer issued = issue("user-17");

        assertProblem(admin.postText("/keys/" + issued.text("id") + "/rotate", body), 400);

        assertThat(api.with(issued.text("key")).get("/whoami").status()).isEqualTo(200);
    }

    @Test
    void keyWhenRevokedThenBothSecretsStopAndItStaysVisible() {
        Answer issued = issue("user-13");
        String path = "/keys/" + issued.text("id");
        Answer rotated = admin.post(path + "/rotate", Map.of("graceful", true));

        Answer deleted = admin.delete(path);

        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.body()).isEmpty();
        assertThat(api.with(issued.text("key")).get("/whoami").status()).isEqualTo(401);
        assertThat(api.with(rotated.text("key")).get("/whoami").status()).isEqualTo(401);
        assertThat(admin.get(path).json().required("revokedAt").isIntegralNumber())
                .isTrue();
        assertProblem(admin.delete(path), 409, "api-key/revoked");
        assertProblem(admin.post(path + "/rotate", Map.of("graceful", false)), 409, "api-key/revoked");
    }

    @Test
    void disableAndEnableThenTheKeyStopsAndWorksAgain() {
        Answer issued = issue("user-23");
        Api holder = api.with(issued.text("key"));
        String path = "/keys/" + issued.text("id");

        assertThat(admin.post(path + "/disable").status()).isEqualTo(204);
        assertThat(admin.post(path + "/disable").status()).isEqualTo(204);
        assertThat(holder.get("/whoami").status()).isEqualTo(401);
        assertThat(admin.get(path).json().required("disabledAt").isIntegralNumber())
                .isTrue();
        assertThat(admin.post(path + "/enable").status()).isEqualTo(204);
        assertThat(holder.get("/whoami").status()).isEqualTo(200);
        assertThat(admin.get(path).json().has("disabledAt")).isFalse();

        assertThat(admin.delete(path).status()).isEqualTo(204);
        assertProblem(admin.post(path + "/disable"), 409, "api-key/revoked");
        assertProblem(admin.post(path + "/enable"), 409, "api-key/revoked");
        assertProblem(admin.post("/keys/" + UNKNOWN_ID + "/disable"), 404, "api-key/not-found");
        assertProblem(admin.post("/keys/" + UNKNOWN_ID + "/enable"), 404, "api-key/not-found");
    }

    @Test
    void purgeThenRemovesWhatWasRevokedAndKeepsActiveKeys() {
        String kept = issue("user-15").text("id");
        String revoked = issue("user-15").text("id");
        admin.delete("/keys/" + revoked);

        Patience.untilAsserted(() -> {
            Answer purged = admin.post("/keys/purge");
            assertThat(purged.status()).isEqualTo(200);
            assertThat(purged.json().propertyNames()).containsExactly("purged");
            assertThat(purged.json().required("purged").isIntegralNumber()).isTrue();
            assertProblem(admin.get("/keys/" + revoked), 404, "api-key/not-found");
        });
        assertThat(admin.get("/keys/" + kept).status()).isEqualTo(200);
    }

    @Test
    void resealWhenCurrentThenReportsExaminedOnly() {
        issue("user-16");

        Answer answer = admin.post("/keys/reseal");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("examined", "resealed");
        assertThat(answer.json().required("examined").asInt()).isPositive();
        assertThat(answer.json().required("resealed").asInt()).isZero();
    }
}
