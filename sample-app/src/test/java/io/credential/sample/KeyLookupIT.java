package io.credential.sample;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How API keys are found by id and by owner. */
@SampleTest
class KeyLookupIT extends KeyFixture {

    private static final String UNKNOWN_ID = "0123456789abcdef";

    KeyLookupIT(RunningSample running) {
        super(running);
    }

    @Test
    void getThenShowsTheRecordButNeverTheKey() {
        Answer issued = issue("user-3", "orders:read");

        Answer answer = admin.get("/keys/" + issued.text("id"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().propertyNames())
                .containsExactlyInAnyOrder(
                        "id",
                        "namespace",
                        "prefix",
                        "ownerId",
                        "scopes",
                        "metadata",
                        "createdAt",
                        "createdBy",
                        "allowedNetworks",
                        "imported",
                        "usedSecondary");
        assertThat(answer.text("namespace")).isEqualTo("live");
        assertThat(answer.text("prefix")).isEqualTo("bk");
        assertThat(answer.text("ownerId")).isEqualTo("user-3");
        assertThat(answer.body()).doesNotContain(secret(issued.text("key")));
    }

    @Test
    void listWhenOwnerIsGivenThenActiveKeysNewestFirst() {
        String first = issue("user-4").text("id");
        String second = issue("user-4").text("id");
        String revoked = issue("user-4").text("id");
        issue("user-40");
        admin.delete("/keys/" + revoked);

        Answer answer = admin.get("/keys?ownerId=user-4");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().isArray()).isTrue();
        assertThat(answer.json().valueStream().map(key -> key.required("id").asString()))
                .containsExactly(second, first);
    }

    @Test
    void listWhenOwnerHasNoKeysThenEmpty() {
        Answer answer = admin.get("/keys?ownerId=nobody");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("[]");
    }

    @Test
    void listWithoutAnOwnerThenKeysOfAllOwners() {
        String one = issue("user-20").text("id");
        String other = issue("user-21").text("id");

        Answer answer = admin.get("/keys");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().valueStream().map(key -> key.required("id").asString()))
                .contains(one, other);
        assertProblem(admin.get("/keys?cursor=nonsense"), 400, "api-key/bad-opt");
    }

    @ParameterizedTest
    @MethodSource("idsOfNoKey")
    void idWhenUnknownThenNotFound(String id) {
        assertProblem(admin.get("/keys/" + id), 404);
        assertProblem(admin.delete("/keys/" + id), 404);
        assertProblem(admin.post("/keys/" + id + "/rotate", Map.of("graceful", true)), 404);
    }

    static Stream<String> idsOfNoKey() {
        return Stream.of(
                UNKNOWN_ID,
                UNKNOWN_ID.toUpperCase(Locale.ROOT),
                "x",
                "a.b",
                "%20",
                "%C3%A9",
                "%F0%9F%94%91",
                "bk_live_0123456789abcdef_0123456789abcdef0123456789abcdef",
                "0".repeat(1000));
    }
}
