package io.credential.spring.autoconfigure.actuate;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RotatedApiKey;
import io.credential.audit.AuditEvent;
import io.credential.spring.autoconfigure.actuate.EndpointHost.Answer;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatches;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoints over HTTP, with unrestricted access to a populated registry and dispatcher. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class EndpointsTests {

    private static final String UNKNOWN = "00000000000000000000000000000000";
    private static final List<String> TABLES = List.of(
            "_credential_api_keys",
            "_credential_webhook_endpoints",
            "_credential_webhook_events",
            "_credential_leases");

    /** Columns that may be shown, besides ids. */
    private static final List<String> PUBLIC = List.of(
            "namespace",
            "id",
            "prefix",
            "endpoint_id",
            "audience",
            "name",
            "payload_format",
            "scheme",
            "pause_reason",
            "event_id",
            "event_type");

    private EndpointHost host;
    private ApiKeyRegistry registry;
    private WebhookDispatcher dispatcher;
    private String dead;

    @BeforeAll
    void start(@TempDir Path directory) {
        host = EndpointHost.start(directory, Handler.class, EndpointHost.UNRESTRICTED);
        registry = host.bean(ApiKeyRegistry.class);
        dispatcher = host.bean(WebhookDispatcher.class);
        register("shop");
        dead = dispatcher
                .dispatch("order.paid", "{\"card\":\"4242\"}")
                .deliveries()
                .get(0)
                .deliveryId();
        dispatcher.removeEndpoint("shop");
        Patience.until(() -> dispatcher.deliveries().get(dead).orElseThrow().status() == DeliveryStatus.DEAD);
        register("shop");
    }

    @AfterAll
    void stop() {
        host.close();
    }

    @Test
    void credentialsThenCountsByStateAndFinding() {
        Answer before = host.get("credentials");
        issue();
        registry.disable(issue().id());
        registry.revoke(issue().id());

        Answer after = host.get("credentials");

        assertThat(after.status()).isEqualTo(200);
        assertThat(after.text("/registries/live/prefix")).isEqualTo("bk");
        assertThat(after.json().at("/registries/live/hygiene/complete").asBoolean())
                .isTrue();
        assertThat(added(before, after, "/keys/active")).isOne();
        assertThat(added(before, after, "/keys/disabled")).isOne();
        assertThat(added(before, after, "/keys/revoked")).isOne();
        assertThat(added(before, after, "/keys/expired")).isZero();
        assertThat(added(before, after, "/hygiene/neverExpiring")).isOne();
        assertThat(added(before, after, "/hygiene/expiringSoon")).isZero();
        assertThat(added(before, after, "/hygiene/unused")).isZero();
    }

    private static int added(Answer before, Answer after, String number) {
        String pointer = "/registries/live" + number;
        return after.json().at(pointer).asInt() - before.json().at(pointer).asInt();
    }

    @Test
    void keysThenPagesWithWhatIsNotSealed() {
        String first = issue().id();
        String second = issue().id();
        registry.revoke(second);

        Answer page = host.get("credentials/live?limit=1");
        Answer next = host.get("credentials/live?limit=1&cursor=" + page.text("/nextCursor"));

        assertThat(List.of(page.text("/keys/0/id"), next.text("/keys/0/id"))).containsExactlyInAnyOrder(first, second);
        assertThat(host.get("credentials/live?show=revoked").body())
                .contains(second)
                .doesNotContain(first);
        assertThat(host.get("credentials/live?show=never-expiring").body())
                .contains(first)
                .doesNotContain(second);
    }

    @Test
    void keysWhenTimesAreGivenThenOnlyThoseKeys() {
        IssuedApiKey used = issue();
        IssuedApiKey unused = issue();
        registry.verify(used.key());
        String created = "credentials/live?createdFrom=" + used.createdAt();
        String past = "2020-01-01T00:00:00Z";

        assertThat(host.get(created).body()).contains(used.id(), unused.id());
        assertThat(host.get("credentials/live?createdBefore=" + past).body()).isEqualTo("{\"keys\":[]}");
        assertThat(host.get(created + "&neverUsed=true").body())
                .contains(unused.id())
                .doesNotContain(used.id());
        assertThat(host.get(created + "&lastUsedFrom=" + past).body())
                .contains(used.id())
                .doesNotContain(unused.id());
        assertThat(host.get(created + "&lastUsedBefore=" + past).body()).doesNotContain(used.id(), unused.id());
        assertThat(host.get("credentials/live?createdFrom=yesterday").status()).isEqualTo(400);
    }

    @Test
    void keyThenStateFindingsAndIsoTimes() {
        String id = registry.issue(
                        IssueRequest.forOwner("user-42").expiresAt(Instant.now().plus(Duration.ofDays(3))))
                .id();

        Answer key = host.get("credentials/live/" + id);

        assertThat(key.text("/state")).isEqualTo("active");
        assertThat(key.text("/findings/0")).isEqualTo("expiring-soon");
        assertThat(Instant.parse(key.text("/createdAt"))).isBefore(Instant.parse(key.text("/expiresAt")));
        assertThat(key.json().has("revokedAt")).isFalse();
    }

    @Test
    void usageThenDaysOnWhichTheKeyWasUsed() {
        IssuedApiKey key = issue();
        assertThat(host.get("credentials/live/" + key.id() + "/usage").body())
                .isEqualTo("{\"id\":\"" + key.id() + "\",\"usage\":[]}");
        registry.verify(key.key());

        Patience.until(() -> host.get("credentials/live/" + key.id() + "/usage?days=2")
                .json()
                .at("/usage/0")
                .isObject());

        Answer usage = host.get("credentials/live/" + key.id() + "/usage");
        assertThat(LocalDate.parse(usage.text("/usage/0/day"))).isAfter(LocalDate.EPOCH);
        assertThat(usage.json().at("/usage/0/requests").asInt()).isEqualTo(1);
        assertThat(usage.json().at("/usage/0/rejectedByQuota").asInt()).isZero();
        assertThat(host.get("credentials/live/" + key.id() + "/usage?days=36").text("/code"))
                .isEqualTo("api-key/bad-opt");
        assertThat(host.get("credentials/live/" + key.id() + "/usage?days=0").text("/code"))
                .isEqualTo("api-key/bad-opt");
        assertThat(host.get("credentials/live/" + key.id() + "/use").text("/code"))
                .isEqualTo("api-key/bad-opt");
    }

    @Test
    void changeThenTheKeyChangesAndTheActorIsAudited() {
        IssuedApiKey key = issue();

        assertThat(change(key, "disable").json().at("/changed").asBoolean()).isTrue();
        assertThat(registry.verify(key.key())).isEmpty();
        assertThat(change(key, "disable").json().at("/changed").asBoolean()).isFalse();
        assertThat(change(key, "enable").json().at("/changed").asBoolean()).isTrue();
        assertThat(registry.verify(key.key())).isPresent();
        assertThat(change(key, "revoke").json().at("/changed").asBoolean()).isTrue();
        assertThat(change(key, "revoke").json().at("/changed").asBoolean()).isFalse();

        assertThat(host.audited())
                .filteredOn(event -> key.id().equals(event.resourceId())
                        && List.of("apikey.disable", "apikey.enable", "apikey.revoke")
                                .contains(event.name()))
                .hasSize(5)
                .extracting(AuditEvent::actor)
                .containsOnly("operator");
    }

    @Test
    void rotateThenOnlyTheHandlerGetsTheToken() {
        IssuedApiKey key = issue();

        Answer answer = change(key, "rotate");

        Handler handler = host.bean(Handler.class);
        RotatedApiKey rotated = handler.rotated.get(handler.rotated.size() - 1);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain(rotated.key());
        assertThat(Instant.parse(answer.text("/secondaryExpiresAt"))).isEqualTo(rotated.secondaryExpiresAt());
        assertThat(registry.verify(rotated.key())).isPresent();
        assertThat(registry.verify(key.key())).isPresent();
    }

    @Test
    void rotateWhenTheHandlerFailsThenNothingChanges(CapturedOutput output) {
        IssuedApiKey key = issue();
        Handler handler = host.bean(Handler.class);
        handler.failing.set(true);
        try {
            Answer answer = change(key, "rotate");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text("/code")).isEqualTo("api-key/unavailable");
            String lost = handler.rotated.get(handler.rotated.size() - 1).key();
            assertThat(answer.body()).doesNotContain(lost);
            assertThat(output).contains("Could not store").doesNotContain(lost);
            assertThat(registry.verify(lost)).isEmpty();
            assertThat(registry.verify(key.key())).isPresent();
        } finally {
            handler.failing.set(false);
        }
    }

    @Test
    void webhooksThenBacklogAndNode() {
        Patience.until(() -> host.get("webhooks").json().at("/backlog").isObject()); // read in the background
        Patience.until(() -> {
            DispatcherWatches.refresh(host.bean(DispatcherWatch.class));
            return host.get("webhooks").json().at("/backlog/dead").asInt(0) > 0;
        });

        Answer summary = host.get("webhooks");

        assertThat(summary.json().at("/backlog/complete").asBoolean()).isTrue();
        assertThat(summary.json().at("/node/started").asBoolean()).isTrue();
    }

    @Test
    void endpointsThenPagesWithoutThePathOfTheUrl() {
        register("a");
        register("b");

        Answer page = host.get("webhooks/endpoints?limit=1");

        assertThat(page.text("/endpoints/0/endpointId")).isEqualTo("a");
        assertThat(page.text("/endpoints/0/destination")).isEqualTo("http://localhost:1");
        assertThat(host.get("webhooks/endpoints?limit=1&cursor=" + page.text("/nextCursor"))
                        .text("/endpoints/0/endpointId"))
                .isEqualTo("b");
    }

    @Test
    void endpointWhenRateIsLimitedThenShowsIt() {
        dispatcher.registerEndpoint(EndpointRegistration.of("limited", "http://localhost:1/hook", "secret", "e")
                .rateLimit(5, Duration.ofMinutes(1)));

        Answer limited = host.get("webhooks/endpoints/limited");

        assertThat(limited.json().at("/rateLimit/limit").asInt()).isEqualTo(5);
        assertThat(limited.json().at("/rateLimit/windowSeconds").asInt()).isEqualTo(60);
    }

    @Test
    void endpointsWhenAttemptFailedThenShowStatistics() {
        register("failing");
        Answer before = host.get("webhooks/endpoints/failing");
        assertThat(before.json().has("failingSince")).isFalse();
        assertThat(before.json().at("/lastDay/failed").asInt(-1)).isZero();

        var unused = dispatcher.sendTestEvent("failing");
        host.bean(JdbcWebhookDispatcher.class).flushStatistics();

        Answer one = host.get("webhooks/endpoints/failing");
        assertThat(one.json().at("/lastDay/failed").asInt()).isEqualTo(1);
        assertThat(one.json().at("/lastDay/accepted").asInt(-1)).isZero();
        assertThat(one.text("/failingSince")).isNotEmpty();
        assertThat(one.json().has("lastSuccessAt")).isFalse();
        assertThat(host.get("webhooks/endpoints?limit=1&cursor=faili").json().at("/endpoints/0"))
                .isEqualTo(one.json());
    }

    @Test
    void pauseAndResumeThenTheEndpointAsItIsThen() {
        register("held");

        assertThat(host.post("webhooks/endpoints/held/pause").text("/pauseReason"))
                .isEqualTo("manual");
        assertThat(host.get("webhooks/endpoints/held").text("/pauseReason")).isEqualTo("manual");
        assertThat(host.post("webhooks/endpoints/held/resume").json().has("pausedAt"))
                .isFalse();
        assertThat(host.audited())
                .filteredOn(event ->
                        "held".equals(event.resourceId()) && event.name().matches(".*(pause|resume)"))
                .hasSize(2)
                .extracting(AuditEvent::actor)
                .containsOnly("operator");
    }

    @Test
    void replayThenAttemptedAgain() {
        assertThat(host.get("webhooks/deliveries?status=dead").text("/deliveries/0/deliveryId"))
                .isEqualTo(dead);

        Answer replayed = host.post("webhooks/deliveries/" + dead + "/replay");

        assertThat(replayed.status()).isEqualTo(200);
        assertThat(replayed.text("/deliveryId")).isEqualTo(dead);
        assertThat(host.audited())
                .filteredOn(event -> event.name().equals("webhook.delivery.retry"))
                .extracting(AuditEvent::actor)
                .contains("operator");
        dispatcher.removeEndpoint("shop");
        register("shop");
        Patience.until(() -> dispatcher.deliveries().get(dead).orElseThrow().status() == DeliveryStatus.DEAD);
    }

    @Test
    void jobThenStartedAndShown() {
        Answer job = host.post("webhooks/jobs", "{\"endpointId\":\"none\",\"createdFrom\":\"2026-01-01T00:00:00Z\"}");

        assertThat(job.status()).isEqualTo(200);
        assertThat(host.get("webhooks/jobs").status()).isEqualTo(200);
        Patience.until(() ->
                host.get("webhooks/jobs/" + job.text("/id")).text("/state").equals("finished"));
    }

    @Test
    void jobWhenCancelledThenShownAsItIs() {
        Answer job = host.post("webhooks/jobs", "{\"endpointId\":\"none\"}");

        Answer cancelled = host.post("webhooks/jobs/" + job.text("/id") + "/cancel");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("/finishedAt")).isNotEmpty();
        assertThat(host.get("webhooks/jobs/" + job.text("/id")).json()).isEqualTo(cancelled.json());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, credentials/other, 404, api-key/not-found",
        "GET, credentials/live?limit=0, 400, api-key/bad-opt",
        "GET, credentials/live?cursor=x, 400, api-key/bad-opt",
        "GET, credentials/live?show=x, 400, api-key/bad-opt",
        "GET, credentials/live?limit=1001, 400, api-key/bad-opt",
        "GET, credentials/live/0000000000000000, 404, api-key/not-found",
        "GET, credentials/live/x, 404, api-key/not-found",
        "GET, credentials/live/0000000000000000/usage, 404, api-key/not-found",
        "POST, credentials/live/0000000000000000/disable, 404, api-key/not-found",
        "POST, credentials/live/0000000000000000/revoke, 404, api-key/not-found",
        "POST, credentials/live/0000000000000000/rotate, 404, api-key/not-found",
        "POST, credentials/live/0000000000000000/delete, 400, api-key/bad-opt",
        "GET, webhooks/others, 404, webhook-dispatcher/not-found",
        "GET, webhooks/endpoints?limit=1001, 400, webhook-dispatcher/bad-opts",
        "GET, webhooks/endpoints?cursor=%00, 400, webhook-dispatcher/bad-opts",
        "GET, webhooks/endpoints/other, 404, webhook-dispatcher/not-found",
        "GET, webhooks/deliveries?status=x, 400, webhook-dispatcher/bad-opts",
        "GET, webhooks/deliveries?reason=x, 400, webhook-dispatcher/bad-opts",
        "GET, webhooks/deliveries?cursor=x, 400, webhook-dispatcher/bad-opts",
        "GET, webhooks/deliveries/" + UNKNOWN + ", 404, webhook-dispatcher/not-found",
        "GET, webhooks/jobs/" + UNKNOWN + ", 404, webhook-dispatcher/not-found",
        "POST, webhooks/endpoints/other/pause, 404, webhook-dispatcher/not-found",
        "POST, webhooks/endpoints/shop/remove, 400, webhook-dispatcher/bad-opts",
        "POST, webhooks/deliveries/" + UNKNOWN + "/retry, 404, webhook-dispatcher/not-found",
        "POST, webhooks/deliveries/" + UNKNOWN + "/replay, 404, webhook-dispatcher/not-found",
        "POST, webhooks/deliveries/" + UNKNOWN + "/delete, 400, webhook-dispatcher/bad-opts",
        "POST, webhooks/jobs/" + UNKNOWN + "/cancel, 404, webhook-dispatcher/not-found",
        "POST, webhooks/jobs/" + UNKNOWN + "/stop, 400, webhook-dispatcher/bad-opts",
        "POST {}, webhooks/jobs, 400, webhook-dispatcher/bad-opts",
        "POST {}, webhooks/endpoints, 404, webhook-dispatcher/not-found",
        "POST {\"status\":\"in-flight\"}, webhooks/jobs, 400, webhook-dispatcher/bad-opts"
    })
    void requestWhenItCannotBeAnsweredThenProblem(String request, String path, int status, String code) {
        Answer answer = send(request, path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(answer.text("/code")).isEqualTo(code);
        assertThat(answer.json().at("/status").asInt()).isEqualTo(status);
    }

    @Test
    void rotateWhenKeyIsRevokedThenConflict() {
        IssuedApiKey key = issue();
        registry.revoke(key.id());

        assertThat(change(key, "rotate"))
                .returns(409, Answer::status)
                .returns("api-key/revoked", answer -> answer.text("/code"));
    }

    @ParameterizedTest
    @CsvSource({
        "_credential_api_keys, credentials, api-key/database-error",
        "_credential_api_keys, credentials/live, api-key/database-error",
        "_credential_webhook_endpoints, webhooks/endpoints, webhook-dispatcher/database-error"
    })
    void requestWhenTableIsMissingThenDatabaseError(String table, String path, String code) {
        jdbc().sql("ALTER TABLE " + table + " RENAME TO gone").update();
        try {
            assertThat(host.get(path)).returns(500, Answer::status).returns(code, answer -> answer.text("/code"));
        } finally {
            jdbc().sql("ALTER TABLE gone RENAME TO " + table).update();
        }
    }

    @Test
    void answersThenNothingSecretOrSealed() {
        List<IssuedApiKey> keys = List.of(issue(), issue(), issue());
        List<Answer> answers = new ArrayList<>();
        keys.forEach(key -> {
            for (String operation : List.of("disable", "enable", "rotate", "revoke")) {
                answers.add(change(key, operation));
            }
            answers.add(host.get("credentials/live/" + key.id()));
        });
        answers.add(host.get("credentials/live/" + keys.get(0).key()));
        answers.add(host.get("credentials/" + keys.get(0).key()));
        for (String path : List.of(
                "credentials",
                "credentials/live?limit=1000",
                "webhooks",
                "webhooks/endpoints",
                "webhooks/endpoints/shop",
                "webhooks/deliveries",
                "webhooks/deliveries/" + dead,
                "webhooks/jobs")) {
            answers.add(host.get(path));
        }
        answers.add(host.post("webhooks/endpoints/shop/pause"));
        answers.add(host.post("webhooks/deliveries/" + dead + "/retry"));
        answers.add(host.post("webhooks/endpoints/shop/resume"));
        List<String> secrets = new ArrayList<>(stored());
        keys.forEach(key -> secrets.add(key.key()));
        host.bean(Handler.class).rotated.forEach(rotated -> secrets.add(rotated.key()));
        secrets.addAll(List.of(
                "user-42", "backup", "read:orders", "gold", "T0/B0/hook", "hook-secret", "Bearer abc", "sms", "4242"));

        assertThat(secrets).hasSizeGreaterThan(20);
        assertThat(answers)
                .extracting(Answer::body)
                .allSatisfy(body -> assertThat(body).isNotEmpty().doesNotContain(secrets));
    }

    /** The values of all columns that must not be shown. */
    private List<String> stored() {
        return TABLES.stream()
                .flatMap(table -> jdbc().sql("SELECT * FROM " + table).query().listOfRows().stream())
                .flatMap(row -> row.entrySet().stream())
                .filter(column -> !PUBLIC.contains(column.getKey()))
                .map(Map.Entry::getValue)
                .filter(value -> value instanceof String text && text.length() > 2)
                .map(Objects::toString)
                .distinct()
                .toList();
    }

    private Answer send(String request, String path) {
        if (request.equals("GET")) {
            return host.get(path);
        }
        return request.equals("POST") ? host.post(path) : host.post(path, request.substring("POST ".length()));
    }

    private Answer change(IssuedApiKey key, String operation) {
        return host.post("credentials/live/" + key.id() + "/" + operation);
    }

    private IssuedApiKey issue() {
        return registry.issue(IssueRequest.forOwner("user-42")
                .name("backup")
                .scopes("read:orders")
                .metadata(Map.of("plan", "gold")));
    }

    /** At a port at which nothing listens. */
    private void register(String id) {
        dispatcher.registerEndpoint(
                EndpointRegistration.of(id, "http://localhost:1/T0/B0/hook", "hook-secret", "order.paid")
                        .metadata(Map.of("channel", "sms"))
                        .header("Authorization", "Bearer abc"));
    }

    private JdbcClient jdbc() {
        return JdbcClient.create(host.bean(DataSource.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Handler {

        private final List<RotatedApiKey> rotated = new CopyOnWriteArrayList<>();
        private final AtomicBoolean failing = new AtomicBoolean();

        @Bean
        RotatedKeyHandler rotatedKeyHandler() {
            return this::handle;
        }

        private void handle(ApiKey key, RotatedApiKey token) {
            rotated.add(token);
            assertThat(key.ownerId()).isEqualTo("user-42");
            if (failing.get()) {
                throw new IllegalStateException("Could not store " + token.key());
            }
        }
    }
}
