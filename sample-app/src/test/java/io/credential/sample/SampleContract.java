package io.credential.sample;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** What the sample promises over HTTP, the same on every database. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class SampleContract {

    private static final Pattern ANNOUNCED = Pattern.compile("Admin key.*: (bk_live_[0-9a-f]{16}_[0-9a-f]{32})");
    private static final String UNKNOWN_ID = "0123456789abcdef";

    private Path directory;
    private Map<String, String> properties;
    private Sample sample;
    private Api api;
    private Api admin;
    private String adminKey;

    /** The properties that lead the application to this database. */
    abstract Map<String, String> database(Path directory);

    /** Everything that the database keeps, as text. */
    abstract String everythingStored(Path directory);

    @BeforeAll
    void start(@TempDir Path directory, CapturedOutput output) {
        this.directory = directory;
        properties = new HashMap<>(database(directory));
        properties.putIfAbsent(
                "credential.storage.path", directory.resolve("credential.db").toString());
        properties.put("credential.keyring.location", "file:" + directory.resolve("keyring.json"));
        properties.put("credential.api-keys.registries.live.purge-after", "0s");
        // So much that whatever could leak into a log does.
        properties.put("logging.level.io.credential", "trace");
        properties.put("logging.level.org.springframework.security", "trace");
        properties.put("logging.level.org.springframework.web", "trace");
        properties.put("logging.level.org.springframework.jdbc", "debug");
        sample = Sample.start(properties);
        sample.stopPurging();
        Matcher announced = ANNOUNCED.matcher(output.getOut());
        assertThat(announced.find()).as("an admin key was printed").isTrue();
        adminKey = announced.group(1);
        assertThat(announced.find()).as("a second admin key was printed").isFalse();
        api = sample.api();
        admin = api.with(adminKey);
    }

    @AfterAll
    void stop() {
        sample.close();
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"limit\":0,\"windowSeconds\":60}",
                "{\"limit\":1000001,\"windowSeconds\":60}",
                "{\"limit\":1,\"windowSeconds\":86401}",
                "{\"limit\":1,\"windowSeconds\":9223372036854775807}",
                "{\"limit\":1}",
                "{\"windowSeconds\":60}"
            })
    void rateLimitWhenOutOfRangeThenBadRequest(String limit) {
        Answer answer = admin.postText("/keys", "{\"ownerId\":\"user-23\",\"rateLimit\":" + limit + "}");

        assertProblem(answer, 400, "api-key/bad-opt");
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
    void whoAmIThenNeedsNoScope() {
        Answer answer = api.with(issue("user-7").text("key")).get("/whoami");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("ownerId")).isEqualTo("user-7");
        assertThat(answer.json().required("usedSecondary").asBoolean()).isFalse();
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
                        good.toUpperCase(java.util.Locale.ROOT).replace("BK_LIVE", "bk_live"),
                        good + "00",
                        "malformed",
                        "x".repeat(4000)))
                .allSatisfy(token ->
                        assertThat(api.with(token).get("/orders").undated()).isEqualTo(unknown.undated()));
        assertThat(api.with(good).get("/orders").status()).isEqualTo(200);
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

    /** Issues a key for as short a time as this machine manages, and waits until it has expired. */
    private Answer issueExpired(String ownerId) {
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

    @Test
    void rotateWhenExpiredThenConflict() {
        Answer issued = issueExpired("user-14");

        assertProblem(
                admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true)), 409, "api-key/expired");
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
                UNKNOWN_ID.toUpperCase(java.util.Locale.ROOT),
                "x",
                "a.b",
                "%20",
                "%C3%A9",
                "%F0%9F%94%91",
                "bk_live_0123456789abcdef_0123456789abcdef0123456789abcdef",
                "0".repeat(1000));
    }

    static final List<String> BAD_KEYS = Stream.concat(
                    Stream.of(
                            "",
                            "{",
                            "[]",
                            "\"text\"",
                            "null",
                            "{} {}",
                            "{}",
                            "{'ownerId':null}",
                            "{'ownerId':''}",
                            "{'ownerId':'  '}",
                            "{'ownerId':5}",
                            "{'ownerId':true}",
                            "{'ownerId':['x']}",
                            "{'ownerId':'" + "x".repeat(256) + "'}",
                            "{'ownerId':'x','ownerId':'y'}",
                            "{'ownerId':'x','owner':'y'}",
                            "{'ownerId':'x','scopes':'orders:read'}",
                            "{'ownerId':'x','scopes':[1]}",
                            "{'ownerId':'x','scopes':[null]}",
                            "{'ownerId':'x','scopes':['']}",
                            "{'ownerId':'x','scopes':['a b']}",
                            "{'ownerId':'x','scopes':['" + "s".repeat(129) + "']}",
                            "{'ownerId':'x','scopes':{}}",
                            "{'ownerId':'x','metadata':'text'}",
                            "{'ownerId':'x','metadata':[]}",
                            "{'ownerId':'x','metadata':1}",
                            "{'ownerId':'x','metadata':{'a':'" + "m".repeat(4096) + "'}}",
                            "{'ownerId':'x','expiresAt':'tomorrow'}",
                            "{'ownerId':'x','expiresAt':'4102444800000'}",
                            "{'ownerId':'x','expiresAt':4102444800000.5}",
                            "{'ownerId':'x','expiresAt':true}",
                            "{'ownerId':'x','expiresAt':99999999999999999999}",
                            "{'ownerId':'x','expiresAt':1000}",
                            "{'ownerId':'x','expiresAt':-1}"),
                    Stream.of("{'ownerId':'x','scopes':["
                            + String.join(
                                    ",",
                                    IntStream.range(0, 65)
                                            .mapToObj(i -> "'s" + i + "'")
                                            .toList())
                            + "]}"))
            .map(SampleContract::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_KEYS")
    void issueWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/keys", body), 400);
    }

    static final List<String> BAD_ORDERS = Stream.of(
                    "",
                    "{",
                    "[]",
                    "{}",
                    "{'item':null}",
                    "{'item':''}",
                    "{'item':' '}",
                    "{'item':7}",
                    "{'item':'a\\u0000b'}",
                    "{'item':'" + "x".repeat(256) + "'}",
                    "{'item':'x','price':1}")
            .map(SampleContract::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ORDERS")
    void orderWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/orders", body), 400);
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
            .map(SampleContract::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ROTATIONS")
    void rotateWhenBodyIsBadThenBadRequestAndNoRotation(String body) {
        Answer issued = issue("user-17");

        assertProblem(admin.postText("/keys/" + issued.text("id") + "/rotate", body), 400);

        assertThat(api.with(issued.text("key")).get("/whoami").status()).isEqualTo(200);
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
    void listWhenTheOwnerIsBlankThenBadRequest() {
        assertProblem(admin.get("/keys?ownerId="), 400, "api-key/missing-owner");
        assertProblem(admin.get("/keys?ownerId=" + "x".repeat(256)), 400, "api-key/missing-owner");
    }

    @Test
    void requestWhenNoControllerAnswersThenProblem() {
        assertProblem(admin.get("/nowhere"), 404);
        assertProblem(admin.send(admin.request("/keys").PUT(BodyPublishers.ofString("{}"))), 405);
        assertProblem(
                admin.send(admin.request("/orders")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("kettle"))),
                415);
        assertProblem(
                admin.send(admin.request("/orders")
                        .header("Accept", "application/xml")
                        .GET()),
                406);
        assertProblem(admin.get("/keys/a;b"), 400);
    }

    @Test
    void databaseThenKeepsNothingInClear() {
        String owner = "owner-in-clear-7f3a";
        String scope = "scope-in-clear:9d1c";
        String metadata = "metadata-in-clear-5b2e";
        Answer issued = admin.post(
                "/keys", Map.of("ownerId", owner, "scopes", List.of(scope), "metadata", Map.of("note", metadata)));
        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true));
        api.with(issued.text("key")).get("/whoami");

        String stored = everythingStored(directory);

        assertThat(stored).contains(issued.text("id"));
        assertThat(stored)
                .doesNotContain(
                        owner,
                        scope,
                        metadata,
                        secret(issued.text("key")),
                        secret(rotated.text("key")),
                        secret(adminKey));
    }

    @Test
    void logThenHoldsNoToken(CapturedOutput output) {
        Answer issued = issue("user-18", "orders:read");
        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true));
        String wrong = "bk_live_" + issued.text("id") + "_" + "ab".repeat(16);
        for (String key : List.of(issued.text("key"), rotated.text("key"), wrong)) {
            api.with(key).get("/orders");
            api.with(key).get("/keys?ownerId=user-18");
        }

        String log = output.getAll();

        assertThat(log).contains("/orders");
        assertThat(log).doesNotContain(secret(issued.text("key")), secret(rotated.text("key")), secret(wrong));
        assertThat(log.split(secret(adminKey), -1))
                .as("the admin key is printed once")
                .hasSize(2);
    }

    @Test
    void restartThenKeepsTheKeysAndPrintsNoOther(CapturedOutput output) {
        String key = issue("user-19").text("key");
        int printedBefore = output.getOut().length();

        sample.close();
        sample = Sample.start(properties);
        sample.stopPurging();
        api = sample.api();
        admin = api.with(adminKey);

        assertThat(api.with(key).get("/whoami").status()).isEqualTo(200);
        assertThat(output.getOut().substring(printedBefore)).doesNotContain("Admin key");
    }

    private Answer issue(String owner, String... scopes) {
        Answer issued = admin.post("/keys", Map.of("ownerId", owner, "scopes", List.of(scopes)));
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        return issued;
    }

    private static void assertProblem(Answer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.json().required("status").asInt()).isEqualTo(status);
        assertThat(answer.text("title")).isNotBlank();
        assertThat(answer.text("code")).isNotBlank();
    }

    private static void assertProblem(Answer answer, int status, String code) {
        assertProblem(answer, status);
        assertThat(answer.text("code")).isEqualTo(code);
    }

    private static String json(String withSingleQuotes) {
        return withSingleQuotes.replace('\'', '"');
    }

    private static String secret(String key) {
        return key.substring(key.lastIndexOf('_') + 1);
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
