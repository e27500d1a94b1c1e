package io.credential.sample;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.sample.Partner.Hold;
import io.credential.sample.Partner.Webhook;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** How the sample sends webhooks, the same on every database. Verified here with the JDK alone. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class DispatchContract {

    private static final Pattern ANNOUNCED = Pattern.compile("Admin key.*: (bk_live_[0-9a-f]{16}_[0-9a-f]{32})");
    private static final String SECRET = "a secret of endpoint and sender";
    private static final String PARTNER_SECRET = "development-only-partner-secret";
    private static final String UNKNOWN_ID = "0123456789abcdef0123456789abcdef";

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private Partner partner;
    private Sample sample;
    private Api api;
    private Api admin;
    private String path;
    private String eventType;

    /** The properties that lead the application to this database. */
    abstract Map<String, String> database(Path directory);

    @BeforeAll
    void start(@TempDir Path directory, CapturedOutput output) throws IOException {
        partner = new Partner();
        Map<String, String> properties = new HashMap<>(database(directory));
        properties.putIfAbsent(
                "credential.storage.path", directory.resolve("credential.db").toString());
        properties.put("credential.keyring.location", "file:" + directory.resolve("keyring.json"));
        properties.put("credential.webhook.dispatcher.allowed-cidrs", "127.0.0.1/32,::1/128");
        properties.put("credential.webhook.dispatcher.max-attempts", "2");
        // Longer than any attempt takes: outcomes do not depend on the speed of the machine.
        properties.put("credential.webhook.dispatcher.dispatch-wait", "1m");
        properties.put("credential.webhook.dispatcher.request-timeout", "1h");
        properties.put("credential.webhook.dispatcher.claim-reclaim-after", "3h");
        // Later than any test lasts: what is tried again is tried because a test asks for it.
        properties.put("credential.webhook.dispatcher.retry-backoff.initial", "1h");
        properties.put("credential.webhook.dispatcher.retry-backoff.max", "1h");
        properties.put("credential.webhook.dispatcher.poll-interval", "1h");
        sample = Sample.start(properties);
        Matcher announced = ANNOUNCED.matcher(output.getOut());
        assertThat(announced.find()).as("an admin key was printed").isTrue();
        api = sample.api();
        admin = api.with(announced.group(1));
    }

    @AfterAll
    void stop() {
        sample.close();
        partner.close();
    }

    @BeforeEach
    void chooseNamesOfTheTestsOwn() {
        String unique = UUID.randomUUID().toString();
        path = "/" + unique;
        eventType = "event." + unique;
        partner.answers(204);
    }

    @Test
    void endpointThenIsManagedAndItsSecretNeverShown() {
        long before = Instant.now().toEpochMilli();
        Answer registered = register("walk-1");

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.json().propertyNames())
                .containsExactlyInAnyOrder(
                        "endpointId", "url", "eventTypes", "payloadFormat", "metadata", "createdAt", "scheme", "kid");
        assertThat(registered.text("endpointId")).isEqualTo("walk-1");
        assertThat(registered.text("url")).isEqualTo(partner.url(path));
        assertThat(registered.json().required("eventTypes").valueStream().map(JsonNode::asString))
                .containsExactly(eventType);
        assertThat(registered.json().required("createdAt").asLong())
                .isBetween(before, Instant.now().toEpochMilli());
        Answer listed = admin.get("/endpoints");
        assertThat(listed.status()).isEqualTo(200);
        assertThat(listed.json().valueStream()).contains(registered.json());
        assertThat(listed.body()).doesNotContain(SECRET);

        Answer replaced = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "walk-1",
                        "url",
                        partner.url(path + "-new"),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET));
        assertThat(replaced.status()).isEqualTo(201);
        assertThat(endpoints("walk-1")).singleElement().isEqualTo(replaced.json());

        Answer removed = admin.delete("/endpoints/walk-1");
        assertThat(removed.status()).isEqualTo(204);
        assertThat(removed.body()).isEmpty();
        assertThat(endpoints("walk-1")).isEmpty();
        assertProblem(admin.delete("/endpoints/walk-1"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenItHasHeadersThenTheyAreSentAndNotShown() {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "named",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET,
                        "name",
                        "A shop",
                        "headers",
                        Map.of("X-Token", "hunter2")));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("name")).isEqualTo("A shop");
        assertThat(registered.body()).doesNotContain("hunter2");
        String id = id(only(dispatch("{}")));
        assertThat(admin.get("/deliveries/" + id + "/attempts").body())
                .contains("X-Token")
                .doesNotContain("hunter2");
    }

    @Test
    void testThenSendsOneEventToTheEndpoint() {
        register("tested");

        Answer tested = admin.post("/endpoints/tested/test");

        assertThat(tested.status()).as(tested.body()).isEqualTo(200);
        assertThat(tested.text("eventType")).isEqualTo("webhook.test");
        assertThat(tested.text("status")).isEqualTo("delivered");
        assertProblem(admin.post("/endpoints/unknown/test"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenPausedThenItsDeliveriesAreHeld() {
        register("paused");
        Answer paused = admin.post("/endpoints/paused/pause");
        assertThat(paused.status()).isEqualTo(204);
        assertThat(endpoints("paused"))
                .singleElement()
                .satisfies(endpoint ->
                        assertThat(endpoint.required("pauseReason").asString()).isEqualTo("manual"));
        String id = id(only(dispatch("{}")));
        assertThat(status(id)).isEqualTo("pending");

        Answer resumed = admin.post("/endpoints/paused/resume");

        assertThat(resumed.status()).isEqualTo(204);
        Patience.until(() -> status(id).equals("delivered"));
        assertProblem(admin.post("/endpoints/unknown/pause"), 404, "webhook-dispatcher/not-found");
        assertProblem(admin.post("/endpoints/unknown/resume"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenSecretIsMissingThenShownOnce() {
        Answer registered = admin.post(
                "/endpoints",
                Map.of("endpointId", "generated", "url", partner.url(path), "eventTypes", List.of(eventType)));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        String secret = registered.text("secret");
        assertThat(secret).hasSize(64);
        assertThat(admin.get("/endpoints").body()).doesNotContain(secret);
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(0), Map.of("v1", secret));
    }

    /** Signs HmacSHA256 as Standard Webhooks specifies it. */
    @Test
    void endpointWhenSchemeIsStandardThenSignedByIt() throws GeneralSecurityException {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "standard",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "scheme",
                        "standard-webhooks"));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("scheme")).isEqualTo("standard-webhooks");
        dispatch("{}");
        Webhook webhook = partner.webhooks(path).get(0);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(
                Base64.getDecoder().decode(registered.text("secret").substring("whsec_".length())), "HmacSHA256"));
        byte[] signature = mac.doFinal(
                (webhook.header("webhook-id") + "." + webhook.header("webhook-timestamp") + ".{}").getBytes(UTF_8));
        assertThat(webhook.header("webhook-signature"))
                .isEqualTo("v1," + Base64.getEncoder().encodeToString(signature));
    }

    @Test
    void endpointWhenSecretIsReplacedThenBothSign() {
        register("rotated");

        Answer generated = admin.post("/endpoints/rotated/rotate-secret");

        assertThat(generated.status()).as(generated.body()).isEqualTo(200);
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(0), Map.of("v1", SECRET, "v2", generated.text("secret")));
        Answer given = admin.post("/endpoints/rotated/rotate-secret", Map.of("secret", "a third secret"));
        assertThat(given.text("secret")).isEqualTo("a third secret");
        assertThat(given.text("kid")).isEqualTo("v3");
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(1), Map.of("v2", generated.text("secret"), "v3", "a third secret"));
        assertProblem(admin.post("/endpoints/unknown/rotate-secret"), 404, "webhook-dispatcher/not-found");
        assertProblem(admin.post("/endpoints/rotated/rotate-secret", Map.of("secret", "")), 400);
    }

    @Test
    void eventThenReachesSubscriberByteForByteAndSigned() {
        register("bytes");
        String body = "{ \"item\" : \"Käse\",\n\"n\":1.50 }";

        Answer dispatched = dispatch(body);

        assertThat(dispatched.status()).as(dispatched.body()).isEqualTo(200);
        assertThat(dispatched.json().propertyNames()).containsExactlyInAnyOrder("delivered", "failed", "deliveries");
        assertThat(dispatched.json().required("delivered").asInt()).isEqualTo(1);
        assertThat(dispatched.json().required("failed").asInt()).isZero();
        JsonNode delivery = only(dispatched);
        assertThat(delivery.propertyNames())
                .containsExactlyInAnyOrder(
                        "deliveryId",
                        "eventId",
                        "endpointId",
                        "eventType",
                        "status",
                        "attempts",
                        "nextAttemptAt",
                        "deliveredAt",
                        "responseStatus",
                        "createdAt");
        assertThat(delivery.required("status").asString()).isEqualTo("delivered");
        assertThat(delivery.required("deliveredAt").isIntegralNumber()).isTrue();
        assertThat(partner.webhooks(path)).singleElement().satisfies(webhook -> {
            assertThat(webhook.body()).isEqualTo(body);
            assertThat(webhook.header("X-Webhook-Delivery-Id"))
                    .isEqualTo(delivery.required("deliveryId").asString());
            assertThat(webhook.header("X-Webhook-Event-Id"))
                    .isEqualTo(delivery.required("eventId").asString());
            assertThat(webhook.header("X-Webhook-Event-Type")).isEqualTo(eventType);
            assertThat(webhook.header("X-Webhook-Attempt")).isEqualTo("1");
            assertThat(webhook.header("Content-Type")).isEqualTo("application/json");
            assertThat(webhook.header("User-Agent")).matches("credential/[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
            assertSigned(webhook);
        });
        assertThat(admin.get("/deliveries/" + id(delivery)).json()).isEqualTo(delivery);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"})
    void eventWhenBodyIsOfAnyTypeThenSentVerbatim(String contentType) {
        register("any-type");

        Answer dispatched = admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString("item=kettle&audience=nobody")));

        assertThat(only(dispatched).required("status").asString()).isEqualTo("delivered");
        assertThat(partner.webhooks(path))
                .singleElement()
                .extracting(Webhook::body)
                .isEqualTo("item=kettle&audience=nobody");
    }

    @Test
    void eventWhenNobodySubscribesThenDeliveredToNobody() {
        assertThat(dispatch("{}").body()).isEqualTo("{\"delivered\":0,\"failed\":0,\"deliveries\":[]}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void orderWhenStoredThenItsEventIsDelivered(boolean hasAudience) {
        String id = "orders-" + hasAudience;
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId", id, "url", partner.url(path), "eventTypes", List.of("order.created"), "secret", SECRET));
        if (hasAudience) {
            endpoint.put("audience", "partner-1");
        }
        admin.post("/endpoints", endpoint);

        Answer order = admin.post("/orders", Map.of("item", "a red kettle"));

        assertThat(order.status()).isEqualTo(201);
        Patience.until(() -> partner.webhooks(path).size() == 1);
        assertThat(partner.webhooks(path).get(0).body()).isEqualTo(order.body());
        Patience.until(
                () -> deliveries("endpointId=" + id + "&status=delivered").size() == 1);
        admin.delete("/endpoints/" + id);
    }

    @Test
    void orderWhenRolledBackThenNeitherOrderNorDelivery() {
        admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "rolled-back",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of("order.created"),
                        "secret",
                        SECRET));

        assertThat(admin.post("/test/failing-orders").status()).isEqualTo(500);

        assertThat(admin.get("/orders").body()).doesNotContain("that nobody gets");
        assertThat(deliveries("endpointId=rolled-back")).isEmpty();
        admin.delete("/endpoints/rolled-back");
    }

    @Test
    void deliveryWhenItFailsThenWaitsUntilRetriedByHand() {
        register("retried");
        partner.answers(500);
        Answer dispatched = dispatch("{}");
        assertThat(dispatched.json().required("failed").asInt()).isEqualTo(1);
        JsonNode failed = only(dispatched);
        assertThat(failed.required("status").asString()).isEqualTo("pending");
        assertThat(failed.required("attempts").asInt()).isEqualTo(1);
        assertThat(failed.required("responseStatus").asInt()).isEqualTo(500);
        assertThat(failed.required("lastError").asString()).isNotBlank();
        String reason = failed.required("lastReason").asString();
        assertThat(reason).isEqualTo("http-status");
        assertThat(deliveries("eventType=" + eventType + "&reason=" + reason)).hasSize(1);
        assertThat(failed.required("nextAttemptAt").asLong())
                .isGreaterThan(Instant.now().toEpochMilli());
        assertThat(deliveries("endpointId=retried&status=pending")).containsExactly(failed);
        assertThat(deliveries("endpointId=retried&status=delivered")).isEmpty();

        partner.answers(200);
        Answer retried = admin.post("/deliveries/" + id(failed) + "/retry");

        assertThat(retried.status()).as(retried.body()).isEqualTo(200);
        assertThat(retried.text("status")).isEqualTo("delivered");
        assertThat(retried.json().required("attempts").asInt()).isEqualTo(1);
        assertThat(partner.webhooks(path))
                .hasSize(2)
                .allSatisfy(DispatchContract::assertSigned)
                .extracting(webhook -> webhook.header("X-Webhook-Delivery-Id"))
                .containsOnly(id(failed));
    }

    @Test
    void processRetriesWhenNotDueThenLeftAlone() {
        register("not-due");
        partner.answers(503);
        JsonNode failed = only(dispatch("{}"));

        Answer processed = admin.post("/deliveries/process-retries");

        assertThat(processed.status()).isEqualTo(200);
        assertThat(processed.json().propertyNames()).containsExactlyInAnyOrder("attempted", "delivered", "dead");
        assertThat(processed.json().required("attempted").asInt()).isZero();
        assertThat(admin.get("/deliveries/" + id(failed)).json()).isEqualTo(failed);
        assertThat(partner.webhooks(path)).hasSize(1);
    }

    @Test
    void processRetriesWhenDueThenDeliveredOrDead() {
        register("due");
        partner.answers(503);
        JsonNode notDue = only(dispatch("0"));

        String delivered = processedWhenDue(200, "{\"attempted\":1,\"delivered\":1,\"dead\":0}");
        String dead = processedWhenDue(503, "{\"attempted\":1,\"delivered\":0,\"dead\":1}");

        assertThat(status(delivered)).isEqualTo("delivered");
        assertThat(status(dead)).isEqualTo("dead");
        assertThat(admin.get("/deliveries/" + id(notDue)).json()).isEqualTo(notDue);
        for (String id : List.of(delivered, dead)) {
            assertThat(partner.webhooks(path))
                    .filteredOn(webhook -> id.equals(webhook.header("X-Webhook-Delivery-Id")))
                    .extracting(webhook -> webhook.header("X-Webhook-Attempt"))
                    .containsExactly("1", "2");
        }
    }

    /** The dispatcher itself may find a delivery first: in that case, another one is created. */
    private String processedWhenDue(int answer, String expected) {
        AtomicReference<String> processed = new AtomicReference<>();
        Patience.until(() -> {
            partner.answers(503);
            String id = id(only(dispatch("1")));
            partner.answers(answer);
            makeDue(id);
            processed.set(id);
            return admin.post("/deliveries/process-retries").body().equals(expected);
        });
        return processed.get();
    }

    private String status(String deliveryId) {
        return admin.get("/deliveries/" + deliveryId).text("status");
    }

    private void makeDue(String deliveryId) {
        sample.jdbc()
                .sql("update _credential_webhook_deliveries set next_attempt_at = 0 where delivery_id = :id")
                .param("id", deliveryId)
                .update();
    }

    @Test
    void deliveryWhenEndpointIsRemovedThenDeadAndReplayable() {
        register("dead");
        partner.answers(500);
        String id = id(only(dispatch("{\"n\":1}")));
        admin.delete("/endpoints/dead");

        Answer dead = admin.get("/deliveries/" + id);
        assertThat(dead.text("status")).isEqualTo("dead");
        assertThat(dead.text("lastError")).contains("endpoint removed");
        assertThat(admin.get("/dead-letters").json().valueStream()).contains(dead.json());
        assertThat(deliveries("endpointId=dead&status=dead")).containsExactly(dead.json());

        register("dead");
        partner.answers(200);
        Answer replayed = admin.post("/dead-letters/" + id + "/replay");

        assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
        assertThat(replayed.text("status")).isEqualTo("delivered");
        assertThat(admin.get("/dead-letters").body()).doesNotContain(id);
        assertProblem(admin.post("/dead-letters/" + id + "/replay"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void deliveriesThenAreBareArrayOfTheNewestUpToTheLimit() {
        register("listed");
        String first = id(only(dispatch("1")));
        String second = id(only(dispatch("2")));
        String third = id(only(dispatch("3")));

        assertThat(deliveries("endpointId=listed").stream().map(DispatchContract::id))
                .containsExactly(third, second, first);
        assertThat(deliveries("endpointId=listed&status=&limit=2").stream().map(DispatchContract::id))
                .containsExactly(third, second);
        assertThat(deliveries("endpointId=nobody")).isEmpty();
    }

    @Test
    void deliveriesWhenMoreFollowThenLinkLeadsToThem() {
        register("paged");
        String first = id(only(dispatch("1")));
        String second = id(only(dispatch("2")));

        Answer page = admin.get("/deliveries?endpointId=paged&eventType=" + eventType.replace(".", "%2E") + "&limit=1");
        String link = Objects.requireNonNull(page.header("Link"), "no Link");

        assertThat(page.json().required(0).required("deliveryId").asString()).isEqualTo(second);
        assertThat(link).matches("<.*[?&]endpointId=paged.*&cursor=.*>; rel=\"next\"");
        Answer last = admin.get(link.substring(1, link.indexOf('>')));
        assertThat(last.json().required(0).required("deliveryId").asString()).isEqualTo(first);
        assertThat(last.header("Link")).isNull();
    }

    @Test
    void deliveriesWhenConditionsAreGivenThenMatchAll() {
        register("searched");
        JsonNode delivery = only(dispatch("1"));
        long createdAt = delivery.required("createdAt").asLong();
        String matching = "endpointId=searched&eventType=" + eventType + "&status=delivered&responseStatus="
                + delivery.required("responseStatus").asInt() + "&from=" + createdAt + "&to=" + (createdAt + 1)
                + "&eventId=" + delivery.required("eventId").asString() + "&minAttempts=1";

        assertThat(deliveries(matching)).containsExactly(delivery);
        assertThat(deliveries(matching.replace("minAttempts=1", "minAttempts=2")))
                .isEmpty();
        assertThat(deliveries(matching.replace("from=" + createdAt, "from=" + (createdAt + 1))))
                .isEmpty();
        assertThat(deliveries(matching.replace("eventType=", "eventType=other-")))
                .isEmpty();
    }

    @Test
    void bulkRetryWhenDryRunThenCountsAndRetriesNothing() {
        register("counted");
        dispatch("1");
        dispatch("2");

        Answer counted = admin.post(
                "/deliveries/bulk-retry",
                Map.of("query", Map.of("endpointId", "counted", "status", "delivered"), "dryRun", true));

        assertThat(counted.status()).as(counted.body()).isEqualTo(200);
        assertThat(counted.body()).isEqualTo("{\"selected\":2}");
        assertThat(partner.webhooks(path)).hasSize(2);
    }

    @Test
    void bulkRetryThenJobRetriesAndShowsProgress() {
        register("bulk");
        JsonNode first = only(dispatch("1"));
        JsonNode second = only(dispatch("2"));
        long from = first.required("createdAt").asLong();

        Answer started = admin.post(
                "/deliveries/bulk-retry",
                Map.of(
                        "query",
                        Map.of(
                                "endpointId",
                                "bulk",
                                "eventType",
                                eventType,
                                "status",
                                "delivered",
                                "responseStatus",
                                first.required("responseStatus").asInt(),
                                "from",
                                from,
                                "to",
                                Long.MAX_VALUE,
                                "minAttempts",
                                1)));

        assertThat(started.status()).as(started.body()).isEqualTo(202);
        assertThat(started.header("Location")).endsWith("/jobs/" + started.text("id"));
        String job = "/jobs/" + started.text("id");
        Patience.until(() -> admin.get(job).text("state").equals("finished"));
        assertThat(admin.get(job).json().required("selected").asInt()).isEqualTo(2);
        assertThat(admin.get(job).json().required("done").asInt()).isEqualTo(2);
        Patience.until(() -> partner.webhooks(path).size() == 4);
        assertThat(partner.webhooks(path).subList(2, 4))
                .extracting(webhook -> webhook.header("X-Webhook-Delivery-Id"))
                .containsExactlyInAnyOrder(id(first), id(second));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"query\":null}",
                "{\"query\":{\"limit\":1}}",
                "{\"query\":{\"cursor\":\"1\"}}",
                "{\"query\":{\"status\":\"in-flight\"}}",
                "{\"query\":{\"status\":\"unknown\"}}",
                "{\"query\":{\"endpointId\":\"a b\"}}",
                "{\"query\":{\"endpointId\":\"\"}}",
                "{\"query\":{\"eventType\":\"\"}}",
                "{\"query\":{\"status\":\"\"}}",
                "{\"query\":{\"responseStatus\":\"\"}}",
                "{\"query\":{\"from\":\"\"}}",
                "{\"query\":{\"to\":\"\"}}",
                "{\"query\":{\"eventId\":\"\"}}",
                "{\"query\":{\"minAttempts\":\"\"}}",
                "{\"query\":{\"minAttempts\":-1}}"
            })
    void bulkRetryWhenQueryCannotBeUsedThenBadRequest(String request) {
        assertProblem(admin.postText("/deliveries/bulk-retry", request), 400);
    }

    @Test
    void erasePayloadsThenDeliveryStaysAndCannotBeRetried() {
        register("erased");
        JsonNode delivery = only(dispatch("1"));
        String eventId = delivery.required("eventId").asString();

        Answer erased = admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId));

        assertThat(erased.status()).as(erased.body()).isEqualTo(200);
        assertThat(erased.body()).isEqualTo("{\"erased\":1,\"skipped\":0}");
        assertThat(admin.get("/deliveries/" + id(delivery)).json().has("payloadErasedAt"))
                .isTrue();
        assertProblem(
                admin.post("/deliveries/" + id(delivery) + "/retry", Map.of()),
                409,
                "webhook-dispatcher/payload-erased");
        assertThat(partner.webhooks(path)).hasSize(1);
    }

    @Test
    void erasePayloadsWhenPendingIsIncludedThenDead() {
        partner.answers(500);
        register("cancelled");
        JsonNode delivery = only(dispatch("1"));
        String eventId = delivery.required("eventId").asString();
        assertThat(admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId))
                        .body())
                .isEqualTo("{\"erased\":0,\"skipped\":1}");

        Answer erased = admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId, "includePending", true));

        assertThat(erased.body()).isEqualTo("{\"erased\":1,\"skipped\":0}");
        assertThat(admin.get("/deliveries/" + id(delivery)).text("status")).isEqualTo("dead");
        assertProblem(
                admin.post("/dead-letters/" + id(delivery) + "/replay", Map.of()),
                409,
                "webhook-dispatcher/payload-erased");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"eventId\":\"unknown\"}", "{\"audience\":\"\"}", "{\"cursor\":\"1\"}"})
    void erasePayloadsWhenQueryIsMalformedThenBadRequest(String request) {
        assertProblem(admin.postText("/deliveries/erase-payloads", request), 400, "webhook-dispatcher/bad-opts");
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN_ID, "unknown", "0"})
    void jobWhenUnknownThenNotFound(String id) {
        assertProblem(admin.get("/jobs/" + id), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void attemptsThenShowRequestAndResponse() {
        register("attempted");
        JsonNode delivery = only(dispatch("1"));

        JsonNode attempt =
                admin.get("/deliveries/" + id(delivery) + "/attempts").json().required(0);

        assertThat(attempt.required("attempt").asInt()).isEqualTo(1);
        assertThat(attempt.required("responseStatus").asInt())
                .isEqualTo(delivery.required("responseStatus").asInt());
        assertThat(attempt.required("duration").isIntegralNumber()).isTrue();
        JsonNode headers = attempt.required("requestHeaders");
        assertThat(partner.webhooks(path))
                .singleElement()
                .satisfies(webhook -> assertThat(headers.propertyNames())
                        .allSatisfy(name -> assertThat(webhook.header(name))
                                .isEqualTo(headers.required(name).asString())));
        assertThat(headers.propertyNames()).contains("Webhook-Signature", "X-Webhook-Attempt");
        assertProblem(admin.get("/deliveries/" + "00".repeat(16) + "/attempts"), 404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status=IN_FLIGHT",
                "status=in_flight",
                "status=unknown",
                "limit=0",
                "limit=1001",
                "limit=many",
                "responseStatus=1000",
                "reason=unknown",
                "minAttempts=-1",
                "from=yesterday",
                "cursor=1"
            })
    void deliveriesWhenQueryMeansNothingThenBadRequest(String query) {
        assertProblem(admin.get("/deliveries?" + query), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "in-flight", "delivered", "dead"})
    void deliveriesWhenAskedForStatusThenOk(String status) {
        assertThat(admin.get("/deliveries?status=" + status).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/hook",
                "http://192.168.1.1/hook",
                "http://169.254.169.254/latest/meta-data",
                "http://[::ffff:10.0.0.1]/hook",
                "http://0x0a000001/hook",
                "http://167772161/hook",
                "http://user@127.0.0.1/hook",
                "ftp://127.0.0.1/hook",
                "file:///etc/passwd",
                "not a url",
                "http://no-such-host.invalid/hook"
            })
    void endpointWhenDestinationIsNotAllowedThenRefused(String url) {
        Answer answer = admin.post(
                "/endpoints",
                Map.of("endpointId", "refused", "url", url, "eventTypes", List.of("*"), "secret", SECRET));

        assertProblem(answer, 400);
        assertThat(answer.text("code")).isIn("webhook-dispatcher/unsafe-destination", "webhook-dispatcher/bad-opts");
        assertThat(endpoints("refused")).isEmpty();
    }

    @Test
    void endpointWhenAddressIsPrivateThenUnsafeDestination() {
        assertProblem(
                admin.post(
                        "/endpoints",
                        Map.of(
                                "endpointId",
                                "private",
                                "url",
                                "http://10.0.0.1/hook",
                                "eventTypes",
                                List.of("*"),
                                "secret",
                                SECRET)),
                400,
                "webhook-dispatcher/unsafe-destination");
    }

    static final List<String> BAD_ENDPOINTS = Stream.of(
                    "",
                    "[]",
                    "{}",
                    "{'endpointId':'x'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'scheme':'other'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'scheme':'standard-webhooks','secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':''}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':7}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':[],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['a b'],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':[null],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':'*','secret':'s'}",
                    "{'endpointId':'a b','url':'http://127.0.0.1/','eventTypes':['*'],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':'s','more':1}")
            .map(text -> text.replace('\'', '"'))
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ENDPOINTS")
    void endpointWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/endpoints", body), 400);
        assertThat(endpoints("x")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN_ID, "x", "a.b", "%20", "%C3%A9", "0123456789ABCDEF0123456789ABCDEF"})
    void idWhenUnknownThenNotFound(String id) {
        assertProblem(admin.get("/deliveries/" + id), 404);
        assertProblem(admin.post("/deliveries/" + id + "/retry"), 404);
        assertProblem(admin.post("/endpoints/" + id + "/rotate-secret"), 404);
        assertProblem(admin.post("/dead-letters/" + id + "/replay"), 404);
        assertProblem(admin.delete("/endpoints/" + id), 404);
    }

    @Test
    void eventWhenNameIsNotUsableThenBadRequest() {
        assertProblem(
                admin.postText("/events/" + URLEncoder.encode("a,b", UTF_8), "{}"), 400, "webhook-dispatcher/bad-opts");
    }

    @Test
    void payloadWhenOverOneMegabyteThenTooLarge() {
        int megabyte = 1024 * 1024;

        assertProblem(dispatch("x".repeat(megabyte + 1)), 413, "webhook-dispatcher/payload-too-large");
        assertThat(dispatch("x".repeat(megabyte)).status()).isEqualTo(200);
    }

    @Test
    void retryWhenDeliveryIsInFlightThenConflict() throws Exception {
        register("busy");
        CompletableFuture<Answer> dispatching;
        try (Hold hold = partner.hold()) {
            assertThat(hold).isNotNull();
            dispatching = CompletableFuture.supplyAsync(() -> dispatch("{}"), threads);
            Patience.until(() -> partner.webhooks(path).size() == 1);
            JsonNode inFlight = deliveries("endpointId=busy&status=in-flight").get(0);
            assertThat(inFlight.required("claimedAt").isIntegralNumber()).isTrue();

            assertProblem(admin.post("/deliveries/" + id(inFlight) + "/retry"), 409, "webhook-dispatcher/in-flight");
        }
        assertThat(only(Patience.get(dispatching)).required("status").asString())
                .isEqualTo("delivered");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "respond-async",
                "Respond-Async",
                "return=minimal, respond-async",
                "respond-async, wait=10",
                "respond-async; a=b",
                "foo=\"x, y\", RESPOND-ASYNC"
            })
    void eventWhenTheClientPrefersNotToWaitThen202(String preference) {
        register("async");

        Answer answer = dispatchPreferring(preference, "{}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.header("Preference-Applied")).isEqualTo("respond-async");
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("delivered", "failed", "deliveries");
        assertThat(answer.json().required("delivered").asInt()).isZero();
        JsonNode delivery = answer.json().required("deliveries").required(0);
        assertThat(delivery.required("status").asString()).isEqualTo("pending");
        Patience.until(() -> partner.webhooks(path).size() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait=10", "foo=\"a, respond-async\"", "respond-asynchronously", "respond-async=no", ""})
    void eventWhenTheClientPrefersSomethingElseThen200(String preference) {
        register("sync");

        Answer answer = dispatchPreferring(preference, "{}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Preference-Applied")).isNull();
        assertThat(answer.json().required("delivered").asInt()).isEqualTo(1);
    }

    @Test
    void eventWhenItHasAudienceThenReachesItInEnvelope() {
        String one = "a-" + eventType.substring(6);
        String other = "b-" + eventType.substring(6);
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId",
                one,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "secret",
                SECRET,
                "audience",
                "tenant-1",
                "payloadFormat",
                "envelope"));
        Answer registered = admin.post("/endpoints", endpoint);
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("audience")).isEqualTo("tenant-1");
        assertThat(registered.text("payloadFormat")).isEqualTo("envelope");
        endpoint.put("audience", "tenant-2");
        assertProblem(admin.post("/endpoints", endpoint), 409, "webhook-dispatcher/endpoint-conflict");
        endpoint.put("endpointId", other);
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);

        Answer dispatched = admin.postText("/events/" + eventType + "?audience=tenant-1", "{ \"n\" : 1 }");

        assertThat(only(dispatched).required("endpointId").asString()).isEqualTo(one);
        Webhook webhook = partner.webhooks(path).get(0);
        assertSigned(webhook);
        assertThat(webhook.header("Webhook-Signature")).contains("id=" + webhook.header("X-Webhook-Delivery-Id") + "-");
        assertThat(webhook.body())
                .matches("\\{\"type\":\"" + Pattern.quote(eventType)
                        + "\",\"timestamp\":\"[0-9-]{10}T[0-9:.]{12}Z\",\"data\":\\{ \"n\" : 1 }}");
        assertProblem(admin.postText("/events/" + eventType + "?audience=", "{}"), 400, "webhook-dispatcher/bad-opts");
        endpoint.put("payloadFormat", "xml");
        assertProblem(admin.post("/endpoints", endpoint), 400, "webhook-dispatcher/bad-opts");
    }

    @Test
    void eventWhenAudienceIsMissingThenRefusedUnlessEvery() {
        Map<String, Object> endpoint = Map.of(
                "endpointId",
                "tenant-" + eventType,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "secret",
                SECRET,
                "audience",
                "tenant-1");
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);

        assertProblem(admin.postText("/events/" + eventType, "{}"), 400, "webhook-dispatcher/audience-required");
        assertProblem(
                admin.postText("/events/" + eventType + "?audience=*&audience=tenant-1", "{}"),
                400,
                "webhook-dispatcher/bad-opts");
        assertThat(partner.webhooks(path)).isEmpty();
        Answer dispatched = admin.postText("/events/" + eventType + "?audience=*", "{}");

        assertThat(only(dispatched).required("endpointId").asString()).isEqualTo("tenant-" + eventType);
        assertThat(partner.webhooks(path)).hasSize(1);
    }

    @Test
    void endpointWhenRateIsLimitedThenShownAndHeld() {
        String id = "limited-" + eventType;
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId",
                id,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "rateLimit",
                Map.of("limit", 1, "windowSeconds", 3600)));

        Answer registered = admin.post("/endpoints", endpoint);

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.json().at("/rateLimit/limit").asInt()).isEqualTo(1);
        assertThat(registered.json().at("/rateLimit/windowSeconds").asInt()).isEqualTo(3600);
        for (int i = 0; i < 3; i++) {
            assertThat(only(admin.postText("/events/" + eventType, "{}"))
                            .required("status")
                            .asString())
                    .isEqualTo("pending");
        }
        Patience.until(() -> partner.webhooks(path).size() == 1);
        assertThat(only(admin.postText("/events/" + eventType, "{}"))
                        .required("status")
                        .asString())
                .isEqualTo("pending");
        assertThat(partner.webhooks(path)).hasSize(1);

        endpoint.put("rateLimit", Map.of("limit", 10));
        assertProblem(admin.post("/endpoints", endpoint), 400, "webhook-dispatcher/bad-opts");
        endpoint.remove("rateLimit");
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);
        Patience.until(() -> partner.webhooks(path).size() == 4);
    }

    /** The walk of the README: the sample is its own partner. */
    @Test
    void hookThenVerifiesWhatTheSampleSends() {
        admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "self",
                        "url",
                        api.request("/hooks/partner").build().uri().toString(),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        PARTNER_SECRET));

        Answer good = dispatch("{\"hello\":\"world\"}");

        assertThat(only(good).required("status").asString()).as(good.body()).isEqualTo("delivered");
        assertThat(only(good).required("responseStatus").asInt()).isEqualTo(200);

        admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "self",
                        "url",
                        api.request("/hooks/partner").build().uri().toString(),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        "another secret"));
        assertThat(only(dispatch("{}")).required("responseStatus").asInt()).isEqualTo(401);
    }

    private Answer register(String endpointId) {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        endpointId,
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET));
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        return registered;
    }

    private Answer dispatch(String body) {
        return admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private Answer dispatchPreferring(String preference, String body) {
        return admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", "application/json")
                .header("Prefer", preference)
                .POST(BodyPublishers.ofString(body)));
    }

    private List<JsonNode> endpoints(String endpointId) {
        return admin.get("/endpoints")
                .json()
                .valueStream()
                .filter(endpoint -> endpoint.required("endpointId").asString().equals(endpointId))
                .toList();
    }

    private List<JsonNode> deliveries(String query) {
        Answer answer = admin.get("/deliveries?" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().isArray()).isTrue();
        return answer.json().valueStream().toList();
    }

    private static JsonNode only(Answer dispatched) {
        assertThat(dispatched.status()).as(dispatched.body()).isEqualTo(200);
        assertThat(dispatched.json().required("deliveries").size()).isEqualTo(1);
        return dispatched.json().required("deliveries").required(0);
    }

    private static String id(JsonNode delivery) {
        return delivery.required("deliveryId").asString();
    }

    /** {@code t=..,id=..,v1=..} over {@code hmac-sha3-512.v1.<t>.<id>.<body>}. */
    private static void assertSigned(Webhook webhook) {
        assertSigned(webhook, Map.of("v1", SECRET));
    }

    /** Exactly the keys with these kids have signed, the latest first. */
    private static void assertSigned(Webhook webhook, Map<String, String> secrets) {
        String text = webhook.header("Webhook-Signature");
        Matcher header =
                Pattern.compile("t=(\\d+),id=([^,]+)((?:,v\\d=[0-9a-f]{128})+)").matcher(text);
        assertThat(header.matches()).as(text).isTrue();
        List<String> expected = secrets.entrySet().stream()
                .sorted(Map.Entry.<String, String>comparingByKey().reversed())
                .map(key -> key.getKey() + "="
                        + signature(
                                key.getValue(),
                                "hmac-sha3-512." + key.getKey() + "." + header.group(1) + "." + header.group(2) + "."
                                        + webhook.body()))
                .toList();
        assertThat(header.group(3)).isEqualTo("," + String.join(",", expected));
    }

    private static String signature(String secret, String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA3-512");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA3-512"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertProblem(Answer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.text("code")).isNotBlank();
    }

    private static void assertProblem(Answer answer, int status, String code) {
        assertProblem(answer, status);
        assertThat(answer.text("code")).isEqualTo(code);
    }
}
