package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.webhook.http.UnsafeDestinationException.Reason;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.http.internal.HostLookups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Names are resolved on separate threads, within a deadline and a bound. */
class DestinationVetterTests {

    private static final DestinationPolicy POLICY = DestinationPolicy.builder().build();

    private static final Duration LONG = Patience.LIMIT;

    private static final Duration SHORT = Duration.ofMillis(100);

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void vetWhenNameIsResolvedThenOnAThreadOfThePool() {
        CompletableFuture<String> thread = new CompletableFuture<>();
        try (DestinationVetter vetter = new DestinationVetter(POLICY, host -> {
            thread.complete(Thread.currentThread().getName());
            return List.of(Sending.address("93.184.215.14"));
        })) {
            VettedDestination destination = Patience.join(vetter.vet(url("hooks"), LONG));

            assertThat(destination.addresses()).containsExactly(Sending.address("93.184.215.14"));
            assertThat(Patience.join(thread)).startsWith("credential-dns-");
        }
    }

    @Test
    void vetWhenRefusedThenTheFutureTellsTheReason() {
        try (DestinationVetter vetter = new DestinationVetter(POLICY, host -> List.of(Sending.address("10.0.0.1")))) {
            assertReason(vetter.vet(URI.create("ftp://a.example/"), LONG), Reason.PROTOCOL);
            assertReason(vetter.vet(URI.create("http://127.1/"), LONG), Reason.FORBIDDEN_ADDRESS);
            assertReason(vetter.vet(URI.create("http://u@a.example/"), LONG), Reason.MALFORMED_URL);
            assertReason(vetter.vet(url("hooks"), LONG), Reason.FORBIDDEN_ANSWER);
            assertThatThrownBy(() -> vetter.vetNow(url("hooks"), LONG)).isInstanceOf(UnsafeDestinationException.class);
        }
    }

    @Test
    void vetWhenResolverFailsThenNoAnswer() {
        List<HostResolver> broken = List.of(
                host -> {
                    throw new UnknownHostException(host);
                },
                host -> {
                    throw new IllegalStateException("resolver");
                },
                host -> {
                    throw new NoClassDefFoundError("resolver");
                },
                host -> List.of());
        for (HostResolver resolver : broken) {
            try (DestinationVetter vetter = new DestinationVetter(POLICY, resolver)) {
                assertReason(vetter.vet(url("hooks"), LONG), Reason.NO_ANSWER);
            }
        }
    }

    @Test
    void vetWhenResolverHangsThenNoAnswerAtTheDeadline() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, asked))) {
            CompletableFuture<VettedDestination> patient = vetter.vet(url("hooks"), LONG);
            Patience.until(() -> asked.get() == 1);

            assertReason(vetter.vet(url("hooks"), SHORT), Reason.NO_ANSWER);
            assertThat(patient).isNotDone();
            assertThatThrownBy(() -> vetter.vetNow(url("hooks"), SHORT))
                    .hasMessage(messageForAForbiddenAnswer())
                    .hasMessageNotContaining("time");
        } finally {
            release.countDown();
        }
    }

    @Test
    void vetWhenANameHangsThenItTakesOneThread() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = new DestinationVetter(
                POLICY,
                host -> host.startsWith("hang")
                        ? hanging(release, asked).resolve(host)
                        : List.of(Sending.address("93.184.215.14")),
                2,
                10,
                HostLookups.FAST,
                System::nanoTime)) {
            List<CompletableFuture<VettedDestination>> stuck = IntStream.range(0, 50)
                    .mapToObj(i -> vetter.vet(url("hang"), LONG))
                    .toList();

            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);

            release.countDown();
            assertThat(stuck)
                    .allSatisfy(answer ->
                            assertThat(Patience.join(answer).addresses()).hasSize(1));
            assertThat(asked.get()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void vetWhenManyNamesHangThenOthersAreResolved(int hanging) {
        CountDownLatch release = new CountDownLatch(1);
        try (DestinationVetter vetter = new DestinationVetter(
                POLICY,
                host -> host.startsWith("hang")
                        ? hanging(release, new AtomicInteger()).resolve(host)
                        : List.of(Sending.address("93.184.215.14")))) {
            List<CompletableFuture<VettedDestination>> stuck = IntStream.range(0, hanging)
                    .mapToObj(i -> vetter.vet(url("hang" + i), LONG))
                    .toList();

            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);
            assertThat(stuck).noneMatch(CompletableFuture::isDone);
        } finally {
            release.countDown();
        }
    }

    @Test
    void vetWhenNoThreadIsFreeThenCongested() {
        try (CongestedLookups congested = new CongestedLookups()) {
            assertFailure(congested.vetter().vet(url("queued"), SHORT), Failure.OVERLOADED);
            assertThat(congested.asked()).doesNotContain("queued.example.com");
        }
    }

    @Test
    void vetWhenTheQueueIsFullThenCongestedAtOnce() {
        try (CongestedLookups congested = new CongestedLookups()) {
            CompletableFuture<VettedDestination> queued = congested.vetter().vet(url("queued"), LONG);

            assertThatThrownBy(() -> congested.vetter().vetNow(url("refused"), LONG))
                    .isInstanceOf(WebhookTransportException.class)
                    .hasMessageContaining("refused.example.com")
                    .hasMessageContaining("too many host names")
                    .hasMessageContaining("try again");
            assertThat(queued).isNotDone();
        }
    }

    @Test
    void vetWhenNobodyWaitsThenTheQueueHasRoom() {
        try (CongestedLookups congested = new CongestedLookups()) {
            assertFailure(congested.vetter().vet(url("b"), SHORT), Failure.OVERLOADED);

            CompletableFuture<VettedDestination> waiting = congested.vetter().vet(url("c"), LONG);
            congested.release();

            assertThat(Patience.join(waiting).addresses()).hasSize(1);
            assertThat(congested.asked()).doesNotContain("b.example.com");
        }
    }

    @Test
    void vetWhenOneAskerStillWaitsThenTheNameStaysQueued() {
        try (CongestedLookups congested = new CongestedLookups()) {
            CompletableFuture<VettedDestination> patient = congested.vetter().vet(url("b"), LONG);
            assertFailure(congested.vetter().vet(url("b"), SHORT), Failure.OVERLOADED);
            congested.release();

            assertThat(Patience.join(patient).addresses()).hasSize(1);
        }
    }

    @Test
    void vetWhenAskedAgainSoonThenNotLookedUp() {
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = remembering(host -> {
            asked.incrementAndGet();
            return List.of(Sending.address("93.184.215.14"));
        })) {
            VettedDestination first = vetter.vetNow(url("hooks"), LONG);
            nanos.addAndGet(Duration.ofMillis(4999).toNanos());

            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).isEqualTo(first.addresses());
            assertThat(asked.get()).isEqualTo(1);
        }
    }

    @Test
    void vetWhenAskedAgainLaterThenLookedUp() {
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = remembering(
                host -> List.of(Sending.address(asked.incrementAndGet() == 1 ? "93.184.215.14" : "10.0.0.1")))) {
            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);
            nanos.addAndGet(Duration.ofSeconds(5).toNanos());

            assertReason(vetter.vet(url("hooks"), LONG), Reason.FORBIDDEN_ANSWER);
        }
    }

    @Test
    void vetWhenTheAnswerIsRememberedThenJudgedAnew() {
        Set<InetAddress> own = ConcurrentHashMap.newKeySet();
        AtomicLong later = new AtomicLong();
        DestinationPolicy policy = DestinationPolicy.builder()
                .ownAddresses(new HostAddresses(() -> Set.copyOf(own), later::get))
                .build();
        InetAddress address = Sending.address("93.184.215.14");
        try (DestinationVetter vetter =
                new DestinationVetter(policy, host -> List.of(address), 1, 1, HostLookups.FAST, nanos::get)) {
            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).containsExactly(address);
            own.add(address);
            later.addAndGet(Duration.ofMinutes(1).toNanos());

            assertReason(vetter.vet(url("hooks"), LONG), Reason.FORBIDDEN_ANSWER);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', NO_ANSWER", "10.0.0.1, FORBIDDEN_ANSWER"})
    void vetWhenRefusedThenLookedUpAgain(String first, Reason reason) {
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = remembering(host -> asked.incrementAndGet() > 1
                ? List.of(Sending.address("93.184.215.14"))
                : first.isEmpty() ? List.of() : List.of(Sending.address(first)))) {
            assertReason(vetter.vet(url("hooks"), LONG), reason);

            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);
        }
    }

    @Test
    void closeWhenSomeWaitThenTheyEndAndTheRestIsRefused() {
        CountDownLatch release = new CountDownLatch(1);
        DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()));
        CompletableFuture<VettedDestination> waiting = vetter.vet(url("hooks"), LONG);

        vetter.close();

        assertFailure(waiting, Failure.CLOSED);
        assertFailure(vetter.vet(url("other"), LONG), Failure.CLOSED);
        release.countDown();
    }

    @Test
    void vetNowWhenInterruptedThenRefusedAndInterruptStays() {
        CountDownLatch release = new CountDownLatch(1);
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()))) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> vetter.vetNow(url("hooks"), LONG)).isInstanceOf(UnsafeDestinationException.class);
            assertThat(Thread.interrupted()).isTrue();
        } finally {
            release.countDown();
        }
    }

    private static String messageForAForbiddenAnswer() {
        try (DestinationVetter vetter = new DestinationVetter(POLICY, host -> List.of(Sending.address("10.0.0.1")))) {
            return Objects.requireNonNull(
                    catchThrowable(() -> vetter.vetNow(url("hooks"), LONG)).getMessage());
        }
    }

    private DestinationVetter remembering(HostResolver resolver) {
        return new DestinationVetter(POLICY, resolver, 1, 1, HostLookups.FAST, nanos::get);
    }

    private static HostResolver hanging(CountDownLatch release, AtomicInteger asked) {
        return host -> {
            asked.incrementAndGet();
            Sending.hang(release);
            return List.of(Sending.address("93.184.215.14"));
        };
    }

    private static URI url(String label) {
        return URI.create("https://" + label + ".example.com/");
    }

    private static void assertReason(CompletableFuture<VettedDestination> result, Reason reason) {
        try {
            throw new AssertionError("passed: " + Patience.get(result));
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            UnsafeDestinationException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(reason));
        }
    }

    private static void assertFailure(CompletableFuture<VettedDestination> result, Failure failure) {
        assertThatThrownBy(() -> Patience.get(result))
                .cause()
                .isInstanceOfSatisfying(
                        WebhookTransportException.class,
                        e -> assertThat(e.failure()).isEqualTo(failure));
    }
}
