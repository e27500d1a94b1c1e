package io.credential.webhook.delivery.internal.endpoint;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.http.CongestedLookups;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.WebhookTransportException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class EndpointRegistryTests {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String SECRET = "a secret of more than 16 bytes";

    private final TestDatabase test;
    private final DispatcherRows rows;
    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final EndpointSecrets secrets = new EndpointSecrets(Keyring.generate(RANDOM), RANDOM, false);
    private final EndpointRegistry registry;
    private final EndpointReader reader;
    private final EndpointRemover remover;

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(EndpointSecrets.class);

    @AutoClose
    private final DestinationVetter destinations;

    private volatile int connectionsDuringLookup = -1;

    EndpointRegistryTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        this.destinations = new DestinationVetter(DestinationPolicy.builder().build(), this::resolve);
        this.registry = registry(destinations);
        this.reader = new EndpointReader(rows.context(clock), secrets);
        this.remover = new EndpointRemover(
                rows.context(clock),
                endpointId -> {},
                trail("webhook-endpoint"),
                new DeathReporter(rows.database, OperationalEvents.NONE, trail("webhook-delivery")));
    }

    private EndpointRegistry registry(DestinationVetter vetter) {
        return new EndpointRegistry(
                rows.context(clock),
                secrets,
                vetter,
                "Webhook-Signature",
                endpointId -> {},
                endpointId -> {},
                trail("webhook-endpoint"));
    }

    private AuditTrail trail(String resourceKind) {
        return new AuditTrail(audited::add, () -> "tester", clock, resourceKind, true, true);
    }

    @Test
    void registerWhenNewThenIsListed() {
        Endpoint endpoint = registry.register(
                EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "order.paid", "order.left")
                        .audience("tenant-1"));

        assertThat(endpoint)
                .isEqualTo(new Endpoint(
                        "shop",
                        "https://hooks.example/a",
                        List.of("order.left", "order.paid"),
                        "tenant-1",
                        PayloadFormat.RAW,
                        null,
                        Map.of(),
                        null,
                        clock.instant(),
                        null,
                        null,
                        SignatureScheme.CREDENTIAL,
                        null,
                        null,
                        "v1",
                        null,
                        null));
        assertThat(reader.list()).containsExactly(endpoint);
    }

    @Test
    void registerWhenKnownThenReplacesAllButCreationTime() {
        registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "order.paid", "order.left")
                .audience("tenant-1"));
        Instant created = clock.instant();
        clock.advance(Duration.ofDays(1));

        Endpoint replaced = registry.register(
                EndpointRegistration.of("shop", "https://hooks.example/b", SECRET + " too", "order.sent")
                        .audience("tenant-1")
                        .payloadFormat(PayloadFormat.ENVELOPE));

        assertThat(replaced)
                .isEqualTo(new Endpoint(
                        "shop",
                        "https://hooks.example/b",
                        List.of("order.sent"),
                        "tenant-1",
                        PayloadFormat.ENVELOPE,
                        null,
                        Map.of(),
                        null,
                        created,
                        null,
                        null,
                        SignatureScheme.CREDENTIAL,
                        null,
                        null,
                        "v1",
                        null,
                        null));
        assertThat(reader.list()).containsExactly(replaced);
        assertThat(openedSecret("shop", "https://hooks.example/b", "tenant-1")).isEqualTo(SECRET + " too");
    }

    @Test
    void listThenIsOrderedByIdAndEventWithWildcardFirst() {
        registry.register(EndpointRegistration.of("b", "https://hooks.example/", SECRET, "z", "-a", "*", "A"));
        registry.register(EndpointRegistration.of("a", "https://hooks.example/", SECRET, "x"));
        registry.register(EndpointRegistration.of("B", "https://hooks.example/", SECRET, "x"));

        assertThat(reader.list()).extracting(Endpoint::endpointId).containsExactly("B", "a", "b");
        assertThat(reader.list().get(2).eventTypes()).containsExactly("*", "-a", "A", "z");
    }

    @Test
    void listWhenThereAreNoEndpointsThenIsEmpty() {
        assertThat(reader.list()).isEmpty();
    }

    @Test
    void registerThenSealsTheSecretToItsEndpoint() {
        register("shop");
        register("other");

        assertThat(storedSecret("shop")).startsWith("s1.").doesNotContain(SECRET);
        assertThat(openedSecret("shop")).isEqualTo(SECRET);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> secrets.open(
                        binding("other"), SecretCells.of(SignatureScheme.CREDENTIAL, null, storedSecret("shop"))))
                .withMessageContaining("other");
    }

    @Test
    void registerWhenDestinationIsRefusedThenStoresNothing() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registry.register(
                        EndpointRegistration.of("shop", "https://internal.example/" + SECRET.hashCode(), SECRET, "*")))
                .withMessageContaining("internal.example")
                .withCauseInstanceOf(UnsafeDestinationException.class)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNSAFE_DESTINATION));
        assertThat(reader.list()).isEmpty();
        assertThat(trail()).containsExactly("webhook.endpoint.register failure unsafe-destination shop");
    }

    @Test
    void registerWhenReplacementIsRefusedThenUnchanged() {
        Endpoint before = register("shop");

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registry.register(
                        EndpointRegistration.of("shop", "http://169.254.169.254/", "another secret", "x")));

        assertThat(reader.list()).containsExactly(before);
        assertThat(openedSecret("shop")).isEqualTo(SECRET);
    }

    @Test
    void registerWhenUrlIsNoUriThenRefusedWithoutShowingIt() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registry.register(
                        EndpointRegistration.of("shop", "https://hooks.example/ hunter2", SECRET, "*")))
                .satisfies(e -> {
                    assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNSAFE_DESTINATION);
                    assertThat(e).hasMessage("Character 23 of the URL is a space; remove it, or write it as %20");
                    assertThat(Throwables.getStackTrace(e)).doesNotContain("hunter2");
                });
        assertThat(trail()).containsExactly("webhook.endpoint.register failure unsafe-destination shop");
    }

    @Test
    void registerWhenLookupsAreCongestedThenToldToTryAgain() {
        try (CongestedLookups congested = new CongestedLookups()) {
            congested.fillQueue();
            EndpointRegistry busy = registry(congested.vetter());

            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() ->
                            busy.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")))
                    .withMessageContaining("too many host names are being looked up; try again later")
                    .withCauseInstanceOf(WebhookTransportException.class)
                    .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code);
        }
        assertThat(reader.list()).isEmpty();
    }

    @Test
    void registerWhenHostIsResolvedThenNoConnectionIsHeld() {
        register("shop");

        assertThat(connectionsDuringLookup).isZero();
    }

    @RepeatedTest(3)
    void registerWhenCalledAtOnceThenOneIsLeftWhole() throws Exception {
        List<Callable<Endpoint>> registrations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String number = String.valueOf(i);
            registrations.add(() -> {
                Endpoint last = null;
                for (int round = 0; round < 20; round++) {
                    last = registry.register(EndpointRegistration.of(
                                    "shop", "https://hooks.example/" + number, SECRET + number, "any", "of." + number)
                            .audience("tenant-1"));
                }
                return last;
            });
        }

        InParallel.run(registrations);

        Endpoint left = reader.list().get(0);
        String number = left.url().substring("https://hooks.example/".length());
        assertThat(reader.list()).hasSize(1);
        assertThat(left.audience()).isEqualTo("tenant-1");
        assertThat(left.eventTypes()).containsExactly("any", "of." + number);
        assertThat(openedSecret("shop", left.url(), "tenant-1")).isEqualTo(SECRET + number);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"tenant-1, tenant-2", "tenant-1, none", "none, tenant-1"})
    void registerWhenTheAudienceDiffersThenRefused(@Nullable String owner, @Nullable String other) {
        Endpoint before = registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .audience(owner));

        assertConflict(EndpointRegistration.of("shop", "https://hooks.example/b", "another secret", "x")
                .audience(other));

        assertThat(reader.list()).containsExactly(before);
        assertThat(openedSecret("shop", "https://hooks.example/a", owner)).isEqualTo(SECRET);
        assertThat(trail())
                .containsExactly(
                        "webhook.endpoint.register success null shop",
                        "webhook.endpoint.register failure endpoint-conflict shop");
    }

    @Test
    void registerWhenIdIsRemovedThenNewAudienceIsAccepted() {
        registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .audience("tenant-1"));
        remover.remove("shop");

        assertThat(registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                                .audience("tenant-2"))
                        .audience())
                .isEqualTo("tenant-2");
    }

    @Test
    void createOnlyWhenTheIdIsTakenThenRefused() {
        EndpointRegistration registration = EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .createOnly();
        Endpoint created = registry.register(registration);

        assertConflict(registration);

        assertThat(reader.list()).containsExactly(created);
    }

    @ParameterizedTest
    @MethodSource("replacements")
    void replaceOnlyWhenNoEndpointHasTheIdThenRefused(EndpointRegistration replacement) {
        assertNotFound(replacement);
        registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .audience("tenant-2"));
        assertNotFound(replacement);
        remover.remove("shop");
        assertNotFound(replacement);

        assertThat(reader.list()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("replacements")
    void replaceOnlyWhenTheEndpointExistsThenReplacesIt(EndpointRegistration replacement) {
        registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .audience("tenant-1"));

        assertThat(registry.register(replacement).secret()).isNull();

        assertThat(reader.list()).extracting(Endpoint::url).containsExactly("https://hooks.example/b");
    }

    static List<EndpointRegistration> replacements() {
        return List.of(
                EndpointRegistration.of("shop", "https://hooks.example/b", SECRET, "*")
                        .audience("tenant-1")
                        .createOnly()
                        .replaceOnly(),
                EndpointRegistration.withGeneratedSecret("shop", "https://hooks.example/b", List.of("*"))
                        .audience("tenant-1")
                        .replaceOnly());
    }

    private void assertNotFound(EndpointRegistration registration) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registry.register(registration))
                .returns("webhook-dispatcher/not-found", WebhookDispatcherException::code);
    }

    @RepeatedTest(3)
    void registerWhenAudiencesCompeteThenOneKeepsTheId() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        List<Callable<Boolean>> registrations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String audience = "tenant-" + i;
            registrations.add(() -> {
                for (int round = 0; round < 10; round++) {
                    try {
                        registry.register(
                                EndpointRegistration.of("shop", "https://hooks.example/" + audience, SECRET, audience)
                                        .audience(audience));
                    } catch (WebhookDispatcherException e) {
                        assertThat(e.code()).isEqualTo("webhook-dispatcher/endpoint-conflict");
                        refused.incrementAndGet();
                    }
                }
                return true;
            });
        }

        InParallel.run(registrations);

        Endpoint left = reader.list().get(0);
        assertThat(refused.get()).isEqualTo(30);
        assertThat(left.url()).isEqualTo("https://hooks.example/" + left.audience());
        assertThat(left.eventTypes()).containsExactly(left.audience());
        assertThat(openedSecret("shop", left.url(), left.audience())).isEqualTo(SECRET);
    }

    @RepeatedTest(3)
    void createOnlyWhenCalledAtOnceThenOneSucceeds() throws Exception {
        AtomicInteger created = new AtomicInteger();
        List<Callable<Boolean>> registrations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            registrations.add(() -> {
                try {
                    registry.register(EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                            .createOnly());
                    return created.incrementAndGet() > 0;
                } catch (WebhookDispatcherException e) {
                    assertThat(e.code()).isEqualTo("webhook-dispatcher/endpoint-conflict");
                    return false;
                }
            });
        }

        InParallel.run(registrations);

        assertThat(created.get()).isEqualTo(1);
    }

    @Test
    void registerThenAuditsHostAudienceAndReplacement() {
        EndpointRegistration registration = EndpointRegistration.of("shop", "https://hooks.example/a", SECRET, "*")
                .audience("tenant-1");
        registry.register(registration);
        registry.register(registration);

        assertThat(audited)
                .extracting(AuditEvent::attributes)
                .containsExactly(
                        Map.of("urlHost", "hooks.example", "audience", "tenant-1", "replaced", false),
                        Map.of("urlHost", "hooks.example", "audience", "tenant-1", "replaced", true));
    }

    @Test
    void removeWhenTheBacklogIsLongThenEveryDeathIsAudited() {
        register("shop");
        Set<String> waiting = rows.database.inTransaction(() -> {
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < 1100; i++) {
                ids.add(rows.delivery("shop", DeliveryStatus.PENDING));
            }
            return ids;
        });

        remover.remove("shop");

        assertThat(audited.stream()
                        .filter(event -> event.name().equals("webhook.delivery.dead"))
                        .map(AuditEvent::resourceId))
                .hasSize(1100)
                .containsAll(waiting);
        assertThat(audited.get(audited.size() - 1).attributes()).isEqualTo(Map.of("deadDeliveries", 1100));
        assertThat(rows.sql("SELECT count(*) FROM {deliveries} WHERE status = 'dead'")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1100);
    }

    private void assertConflict(EndpointRegistration registration) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registry.register(registration))
                .returns("webhook-dispatcher/endpoint-conflict", WebhookDispatcherException::code)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("tenant", "hooks.example"));
    }

    @Test
    void registerWhenSecretIsShortThenWarnsByTheEndpointId() {
        registry.register(EndpointRegistration.of("weak", "https://hooks.example/", "fifteen bytes!!", "*"));
        registry.register(EndpointRegistration.of("strong", "https://hooks.example/", "sixteen bytes!!!", "*"));

        assertThat(logged.lines()).singleElement().asString().contains("weak").doesNotContain("fifteen");
    }

    @Test
    void registerAndRemoveThenAuditNoSecretOrPath() {
        register("shop");
        String waiting = rows.delivery("shop", DeliveryStatus.PENDING);
        remover.remove("shop");

        assertThat(trail())
                .containsExactly(
                        "webhook.endpoint.register success null shop",
                        "webhook.delivery.dead failure endpoint-removed " + waiting,
                        "webhook.endpoint.remove success null shop");
        assertThat(audited).allSatisfy(event -> {
            assertThat(event.actor()).isEqualTo("tester");
            assertThat(event.toString()).doesNotContain(SECRET, "hooks.example/a");
        });
        assertThat(audited)
                .extracting(AuditEvent::resourceKind)
                .containsExactly("webhook-endpoint", "webhook-delivery", "webhook-endpoint");
        assertThat(audited.get(1).attributes())
                .isEqualTo(Map.of("endpointId", "shop", "eventType", "order.paid", "attempts", 1));
        assertThat(audited.get(2).attributes()).isEqualTo(Map.of("deadDeliveries", 1));
    }

    @Test
    void rollbackThenNothingIsStoredOrAudited() {
        Endpoint kept = register("kept");
        audited.clear();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    register("shop");
                    remover.remove("kept");
                    throw new IllegalStateException("roll back");
                }));

        assertThat(reader.list()).containsExactly(kept);
        assertThat(audited).isEmpty();
    }

    @Test
    void removeThenTakesTheSubscriptionsAlong() {
        register("shop");
        register("other");

        assertThat(remover.remove("shop")).isTrue();

        assertThat(reader.list()).extracting(Endpoint::endpointId).containsExactly("other");
        assertThat(rows.ids("endpoint_id", "{subscriptions}")).containsExactly("other");
    }

    @Test
    void removeThenKillsWhatWaitsAndNotWhatIsInFlight() {
        register("shop");
        String pending = rows.delivery("shop", DeliveryStatus.PENDING);
        String inFlight = rows.delivery("shop", DeliveryStatus.IN_FLIGHT);
        clock.advance(Duration.ofHours(1));

        remover.remove("shop");

        assertThat(rows.stored(pending, "status")).isEqualTo("dead");
        assertThat(rows.stored(pending, "dead_at")).isEqualTo(String.valueOf(clock.millis()));
        assertThat(rows.stored(pending, "last_error")).isEqualTo("endpoint removed");
        assertThat(rows.stored(inFlight, "status")).isEqualTo("in-flight");
        assertThat(rows.stored(inFlight, "claim_token")).isNotNull();
    }

    @Test
    void removeThenLeavesSettledAndForeignDeliveries() {
        register("shop");
        String delivered = rows.delivery("shop", DeliveryStatus.DELIVERED);
        String dead = rows.delivery("shop", DeliveryStatus.DEAD);
        String other = rows.delivery("other", DeliveryStatus.PENDING);

        remover.remove("shop");

        assertThat(rows.stored(delivered, "status")).isEqualTo("delivered");
        assertThat(rows.stored(delivered, "dead_at")).isNull();
        assertThat(rows.stored(dead, "last_error")).isNull();
        assertThat(rows.stored(other, "status")).isEqualTo("pending");
    }

    @Test
    void removeWhenIdIsUnknownThenChangesAndAuditsNothing() {
        String orphan = rows.delivery("gone", DeliveryStatus.PENDING);

        assertThat(remover.remove("gone")).isFalse();
        assertThat(remover.remove("")).isFalse();
        assertThat(remover.remove("no\0name")).isFalse();

        assertThat(rows.stored(orphan, "status")).isEqualTo("pending");
        assertThat(audited).isEmpty();
    }

    private Endpoint register(String endpointId) {
        return registry.register(EndpointRegistration.of(endpointId, "https://hooks.example/a", SECRET, "*"));
    }

    private List<InetAddress> resolve(String host) throws UnknownHostException {
        connectionsDuringLookup = test.dataSource().getHikariPoolMXBean().getActiveConnections();
        return List.of(InetAddress.getAllByName(host.startsWith("internal") ? "10.0.0.1" : "93.184.215.14"));
    }

    private String storedSecret(String endpointId) {
        return rows.sql("SELECT secret FROM {endpoints} WHERE endpoint_id = :id")
                .param("id", endpointId)
                .query(String.class)
                .single();
    }

    private static SecretBinding binding(String endpointId) {
        return new SecretBinding(endpointId, "https://hooks.example/a", null);
    }

    private String openedSecret(String endpointId) {
        return openedSecret(endpointId, "https://hooks.example/a", null);
    }

    private String openedSecret(String endpointId, String url, @Nullable String audience) {
        SecretBinding binding = new SecretBinding(endpointId, url, audience);
        try (SecretBytes secret =
                secrets.open(binding, SecretCells.of(SignatureScheme.CREDENTIAL, null, storedSecret(endpointId)))) {
            return new String(secret.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    /** The audit trail in short: name, outcome, reason, id. */
    private List<String> trail() {
        return audited.stream()
                .map(event ->
                        event.name() + " " + event.outcome().text() + " " + event.reason() + " " + event.resourceId())
                .toList();
    }
}
