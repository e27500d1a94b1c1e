package io.credential.sample;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** Which requests are accepted with which API key. */
@SampleTest
class AuthenticationIT extends KeyFixture {

    private static final String UNKNOWN_ID = "0123456789abcdef";

    AuthenticationIT(RunningSample running) {
        super(running);
    }

    @Test
    void adminKeyThenHasTheScopesOfEveryPart() {
        Answer answer = admin.get("/whoami");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("ownerId")).isEqualTo("admin");
        assertThat(texts(answer.json().required("scopes")))
                .containsExactlyInAnyOrder(
                        "keys:admin",
                        "webhooks:admin",
                        "orders:read",
                        "orders:write",
                        "actuator:read",
                        "actuator:write");
    }

    @Test
    void whoAmIThenNeedsNoScope() {
        Answer answer = api.with(issue("user-7").text("key")).get("/whoami");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("ownerId")).isEqualTo("user-7");
        assertThat(answer.json().required("usedSecondary").asBoolean()).isFalse();
    }

    @Test
    void keyWhenItHasTheScopesThenPlacesAndReadsOrders() {
        Api customer = api.with(issue("user-5", "orders:read", "orders:write").text("key"));

        Answer placed = customer.post("/orders", Map.of("item", "a blue kettle"));
        Answer listed = customer.get("/orders");

        assertThat(placed.status()).isEqualTo(201);
        assertThat(placed.text("item")).isEqualTo("a blue kettle");
        assertThat(listed.status()).isEqualTo(200);
        assertThat(listed.json().valueStream()).contains(placed.json());
    }

    @Test
    void keyWhenItLacksTheScopeThenRefusedAndScopeIsNamed() {
        Api reader = api.with(issue("user-6", "orders:read").text("key"));

        Answer answer = reader.post("/orders", Map.of("item", "a kettle"));

        assertProblem(answer, 403);
        assertThat(answer.body()).contains("orders:write");
        assertThat(reader.get("/keys?ownerId=user-6").status()).isEqualTo(403);
        assertThat(reader.get("/keys?ownerId=user-6").body()).contains("keys:admin");
    }

    @Test
    void keyWhenInTheAuthorizationHeaderThenAccepted() {
        String key = issue("user-9", "orders:read").text("key");

        assertThat(api.send(api.request("/orders")
                                .header("Authorization", "ApiKey " + key)
                                .GET())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void requestWhenItHasTwoKeysThenRefused() {
        String key = issue("user-10", "orders:read").text("key");

        Answer answer = api.send(api.request("/orders")
                .header("X-API-Key", key)
                .header("Authorization", "ApiKey " + key)
                .GET());

        assertProblem(answer, 401, "api-key/unauthorized");
    }

    @Test
    void requestWhenKeyIsMissingThenAskedForOne() {
        for (Answer answer : List.of(
                api.get("/orders"), api.get("/nowhere"), api.post("/keys", Map.of("ownerId", "x")), api.get("/"))) {
            assertProblem(answer, 401);
            assertThat(answer.challenge()).startsWith("ApiKey realm=");
        }
    }

    @Test
    void requestWhenRefusedThenReasonIsNotTold() {
        String good = issue("user-8", "orders:read").text("key");
        Answer revoked = issue("user-8", "orders:read");
        admin.delete("/keys/" + revoked.text("id"));
        Answer expired = issueExpired("user-8");

        Answer unknown =
                api.with("bk_live_" + UNKNOWN_ID + "_" + "0".repeat(32)).get("/orders");

        assertProblem(unknown, 401);
        assertThat(unknown.challenge()).startsWith("ApiKey realm=");
        assertThat(Stream.of(
                        revoked.text("key"),
                        expired.text("key"),
                        good.substring(0, good.length() - 1) + (good.endsWith("0") ? "1" : "0"),
                        good.replace("bk_live_", "bk_test_"),
                        good.replace("bk_live_", "xx_live_"),
                        good.toUpperCase(Locale.ROOT).replace("BK_LIVE", "bk_live"),
                        good + "00",
                        "malformed",
                        "x".repeat(4000)))
                .allSatisfy(token ->
                        assertThat(api.with(token).get("/orders").undated()).isEqualTo(unknown.undated()));
        assertThat(api.with(good).get("/orders").status()).isEqualTo(200);
    }

    @Test
    void quotaThenLimitsTheRequestsOfTheMonth() {
        Answer issued = admin.postText(
                "/keys",
                "{\"ownerId\":\"user-23\",\"quota\":{\"limit\":1,\"period\":\"month\",\"zone\":\"Asia/Kathmandu\"}}");
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        Api limited = api.with(issued.text("key"));

        assertThat(limited.get("/whoami").json().required("quota").toString())
                .isEqualTo("{\"limit\":1,\"period\":\"month\",\"zone\":\"Asia/Kathmandu\"}");
        Answer refused = limited.get("/whoami");
        assertProblem(refused, 429, "api-key/quota-exceeded");
        assertThat(Long.parseLong(String.valueOf(refused.header("Retry-After"))))
                .isBetween(1L, 31 * 86_400L);
        assertProblem(
                admin.postText("/keys", "{\"ownerId\":\"user-23\",\"quota\":{\"limit\":0,\"period\":\"day\"}}"),
                400,
                "api-key/bad-opt");
        assertProblem(
                admin.postText("/keys", "{\"ownerId\":\"user-23\",\"quota\":{\"limit\":1}}"), 400, "api-key/bad-opt");
    }

    @Test
    void rateLimitThenLimitsTheRequestsOfTheKey() {
        Answer issued = admin.postText(
                "/keys", "{\"ownerId\":\"user-23\",\"rateLimit\":{\"limit\":2,\"windowSeconds\":86400}}");
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        Api limited = api.with(issued.text("key"));

        Answer first = limited.get("/whoami");
        assertThat(first.json().required("rateLimit").toString()).isEqualTo("{\"limit\":2,\"windowSeconds\":86400}");
        assertThat(first.header("RateLimit-Policy")).isEqualTo("\"default\";q=2;w=86400");
        assertThat(first.header("RateLimit")).matches("\"default\";r=1;t=\\d+");
        assertThat(limited.get("/whoami").status()).isEqualTo(200);

        Answer refused = limited.get("/whoami");
        assertProblem(refused, 429, "api-key/rate-limited");
        assertThat(refused.header("RateLimit")).matches("\"default\";r=0;t=\\d+");
        assertThat(Long.parseLong(String.valueOf(refused.header("Retry-After"))))
                .isBetween(1L, 86_400L);
        assertThat(admin.get("/keys/" + issued.text("id"))
                        .json()
                        .required("rateLimit")
                        .required("limit")
                        .asInt())
                .isEqualTo(2);
    }
}
