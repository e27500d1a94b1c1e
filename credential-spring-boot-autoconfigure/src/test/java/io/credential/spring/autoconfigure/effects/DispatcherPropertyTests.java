package io.credential.spring.autoconfigure.effects;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

import static org.assertj.core.api.Assertions.assertThat;

/** What properties of the dispatcher do in an application, seen from its transport and from the deliveries. */
class DispatcherPropertyTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String BACKGROUND_WORK_SLEEPS = DISPATCHER + "poll-interval=10h";
    private static final WebhookResponse REFUSED = new WebhookResponse(500, "", null);
    private static final WebhookResponse ACCEPTED = new WebhookResponse(204, "", null);

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = MutableClock.atNewYear();

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner(WebhookTransport transport, String... properties) {
        return runner(database, clock, directory, transport).withPropertyValues(properties);
    }

    private static ApplicationContextRunner runner(
            TestDatabase database, MutableClock clock, Path directory, WebhookTransport transport) {
        return StarterRunner.on(database, directory)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withBean(WebhookTransport.class, () -> transport)
                .withPropertyValues(
                        DISPATCHER + "enabled=true",
                        DISPATCHER + "dispatch-wait=1h",
                        DISPATCHER + "request-timeout=2m");
    }

    private static WebhookTransport answering(WebhookResponse response, Consumer<WebhookRequest> sent) {
        return request -> {
            sent.accept(request);
            return CompletableFuture.completedFuture(response);
        };
    }

    private static void register(WebhookDispatcher dispatcher, String... endpoints) {
        for (String endpoint : endpoints) {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    endpoint, "https://198.41.0.4/" + endpoint, "a secret of the tests", "order.created"));
        }
    }

    private static String enqueue(WebhookDispatcher dispatcher) {
        return dispatcher.enqueue("order.created", "{}").deliveries().get(0).deliveryId();
    }

    private static Delivery afterAttempt(WebhookDispatcher dispatcher, String id, int attempts) {
        Patience.until(() -> {
            Delivery now = dispatcher.deliveries().get(id).orElseThrow();
            return now.attempts() == attempts && now.status() == DeliveryStatus.PENDING;
        });
        return dispatcher.deliveries().get(id).orElseThrow();
    }

    @Test
    void nextAttemptWhenBackoffIsSetThenFollowsItsCurve() {
        runner(
                        answering(REFUSED, request -> {}),
                        DISPATCHER + "retry-backoff.initial=10s",
                        DISPATCHER + "retry-backoff.factor=3",
                        DISPATCHER + "retry-backoff.max=50s",
                        DISPATCHER + "retry-backoff.jitter=0")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, "shop");
                    String id = enqueue(dispatcher);

                    assertPause(dispatcher, id, 1, Duration.ofSeconds(10));
                    assertPause(dispatcher, id, 2, Duration.ofSeconds(30));
                    assertPause(dispatcher, id, 3, Duration.ofSeconds(50));
                });
    }

    private void assertPause(WebhookDispatcher dispatcher, String id, int attempt, Duration pause) {
        Instant due = afterAttempt(dispatcher, id, attempt).nextAttemptAt();
        assertThat(due).isEqualTo(clock.instant().plus(pause));
        clock.set(due);
    }

    @Test
    void endpointWhenItFailsForPauseAfterThenIsPaused() {
        runner(answering(REFUSED, request -> {}), DISPATCHER + "pause-after=10m")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, "shop");

                    Patience.until(() -> {
                        dispatcher.dispatch("order.created", "{}");
                        clock.advance(Duration.ofMinutes(5));
                        return dispatcher.listEndpoints().get(0).pauseReason() == PauseReason.FAILING;
                    });
                });
    }

    @Test
    void secretWhenReplacedThenOverlapsForSecretOverlap() {
        runner(answering(ACCEPTED, request -> {}), DISPATCHER + "secret-overlap=2h")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, "shop");

                    assertThat(dispatcher
                                    .rotateSecret("shop", SecretRotation.generated())
                                    .previousSecretUntil())
                            .isEqualTo(clock.instant().plus(Duration.ofHours(2)));
                });
    }

    @Test
    void requestWhenTimeoutIsConfiguredThenHasNoMore() {
        List<Duration> timeouts = new CopyOnWriteArrayList<>();
        runner(answering(ACCEPTED, request -> timeouts.add(request.timeout())), DISPATCHER + "request-timeout=7s")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, "shop");
                    dispatcher.dispatch("order.created", "{}");
                    assertThat(timeouts)
                            .singleElement()
                            .satisfies(timeout -> assertThat(timeout).isLessThanOrEqualTo(Duration.ofSeconds(7)));
                });
    }

    @Test
    void processRetriesWhenBatchSizeIsSetThenAttemptsNoMore() {
        runner(
                        answering(REFUSED, request -> {}),
                        DISPATCHER + "batch-size=2",
                        DISPATCHER + "retry-backoff.initial=20m",
                        BACKGROUND_WORK_SLEEPS)
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, "a", "b", "c");
                    dispatcher
                            .enqueue("order.created", "{}")
                            .deliveries()
                            .forEach(delivery -> afterAttempt(dispatcher, delivery.deliveryId(), 1));
                    clock.advance(Duration.ofHours(2));

                    // The loop may look as well, just after the first attempts.
                    assertThat(dispatcher.processRetries().attempted()).isLessThanOrEqualTo(2);
                });
    }

    @Test
    void attemptsWhenInFlightIsBoundedThenNeverMore() {
        assertBound(1, new String[] {"a", "b", "c", "d"}, DISPATCHER + "max-in-flight=1");
    }

    @Test
    void attemptsWhenOneEndpointIsBoundedThenNeverMore() {
        assertBound(1, new String[] {"a"}, DISPATCHER + "max-in-flight-per-endpoint=1");
    }

    @Test
    void attemptsWhenInFlightBytesAreBoundedThenNeverMore() {
        assertBound(1, new String[] {"a", "b", "c", "d"}, DISPATCHER + "max-in-flight-bytes=1B");
    }

    private void assertBound(int bound, String[] endpoints, String... properties) {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<WebhookResponse>> open = new CopyOnWriteArrayList<>();
        runner(
                        request -> {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            CompletableFuture<WebhookResponse> answer = new CompletableFuture<>();
                            open.add(answer);
                            return answer;
                        },
                        properties)
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher, endpoints);
                    int events = 8 / endpoints.length;
                    IntStream.range(0, events).forEach(i -> enqueue(dispatcher));
                    for (int i = 0; i < events * endpoints.length; i++) {
                        int nth = i;
                        Patience.until(() -> open.size() > nth);
                        underWay.decrementAndGet();
                        open.get(nth).complete(ACCEPTED);
                    }
                    assertThat(most.get()).isBetween(1, bound);
                });
    }

    @Test
    void backgroundWorkWhenPollIsShortThenLooksMoreOften() {
        String[] patient = {
            DISPATCHER + "retry-backoff.initial=20m", DISPATCHER + "max-attempts=100", DISPATCHER + "pause-after=0"
        };
        AtomicInteger seldom = new AtomicInteger();
        MutableClock other = MutableClock.atNewYear();
        try (TestDatabase second = TestDatabase.create(DatabaseKind.SQLITE)) {
            runner(answering(REFUSED, request -> seldom.incrementAndGet()), patient)
                    .withPropertyValues(DISPATCHER + "poll-interval=1h")
                    .run(context -> {
                        attemptOnce(context.getBean(WebhookDispatcher.class));
                        runner(second, other, directory.resolve("second"), answering(REFUSED, request -> {}))
                                .withPropertyValues(patient)
                                .withPropertyValues(DISPATCHER + "poll-interval=100ms")
                                .run(quick -> {
                                    WebhookDispatcher dispatcher = quick.getBean(WebhookDispatcher.class);
                                    String id = attemptOnce(dispatcher);
                                    for (int i = 2; i <= 20; i++) {
                                        clock.advance(Duration.ofDays(1));
                                        other.advance(Duration.ofDays(1));
                                        // Stored: the pause begins before the clock is advanced again.
                                        afterAttempt(dispatcher, id, i);
                                    }
                                });
                        // An attempt makes the loop look once more, maybe after the clock was advanced.
                        assertThat(seldom).hasValueLessThan(10);
                    });
        }
    }

    private static String attemptOnce(WebhookDispatcher dispatcher) {
        register(dispatcher, "shop");
        String id = enqueue(dispatcher);
        afterAttempt(dispatcher, id, 1);
        return id;
    }

    @Test
    void removeExpiredWhenRetentionHasPassedThenRemoves() {
        runner(answering(ACCEPTED, request -> {}), DISPATCHER + "retention=3d").run(context -> {
            JdbcWebhookDispatcher dispatcher = context.getBean(JdbcWebhookDispatcher.class);
            register(dispatcher, "shop");
            assertThat(dispatcher.dispatch("order.created", "{}").delivered()).isEqualTo(1);
            clock.advance(Duration.ofDays(2));
            assertThat(dispatcher.removeExpired()).isZero();
            clock.advance(Duration.ofDays(2));
            assertThat(dispatcher.removeExpired()).isEqualTo(1);
        });
    }

    @Test
    void removeExpiredWhenPayloadIsOldThenErases() {
        runner(answering(ACCEPTED, request -> {}), DISPATCHER + "payload-retention=3d")
                .run(context -> {
                    JdbcWebhookDispatcher dispatcher = context.getBean(JdbcWebhookDispatcher.class);
                    register(dispatcher, "shop");
                    Delivery delivery = dispatcher
                            .dispatch("order.created", "{}")
                            .deliveries()
                            .get(0);
                    clock.advance(Duration.ofDays(2));
                    dispatcher.removeExpired();
                    assertThat(erasedAt(dispatcher, delivery)).isNull();
                    clock.advance(Duration.ofDays(2));
                    assertThat(dispatcher.removeExpired()).isZero();
                    assertThat(erasedAt(dispatcher, delivery)).isEqualTo(clock.instant());
                });
    }

    private static @Nullable Instant erasedAt(JdbcWebhookDispatcher dispatcher, Delivery delivery) {
        return dispatcher.deliveries().get(delivery.deliveryId()).orElseThrow().payloadErasedAt();
    }
}
