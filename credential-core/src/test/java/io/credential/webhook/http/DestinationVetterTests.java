package io.credential.webhook.http;

import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.webhook.http.UnsafeDestinationException.Reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Names are resolved on threads of their own, within a deadline and a bound. */
class DestinationVetterTests {

    private static final DestinationPolicy POLICY = DestinationPolicy.builder().build();

    private static final Duration LONG = Patience.LIMIT;

    private static final Duration SHORT = Duration.ofMillis(100);

    @Test
    void aNameIsResolvedOnAThreadOfThePoolAndJudged() {
        CompletableFuture<String> thread = new CompletableFuture<>();
        try (DestinationVetter vetter = new DestinationVetter(POLICY, host -> {
            thread.complete(Thread.currentThread().getName());
            return List.of(Sending.address("93.184.215.14"));
        })) {
            VettedDestination destination = vetter.vet(url("hooks"), LONG).join();

            assertThat(destination.addresses()).containsExactly(Sending.address("93.184.215.14"));
            assertThat(thread.join()).startsWith("credential-dns-");
        }
    }

    @Test
    void everyRefusalArrivesThroughTheFuture() {
        try (DestinationVetter vetter = new DestinationVetter(POLICY, host -> List.of(Sending.address("10.0.0.1")))) {
            assertReason(vetter.vet(URI.create("ftp://a.example/"), LONG), Reason.PROTOCOL);
            assertReason(vetter.vet(URI.create("http://127.1/"), LONG), Reason.FORBIDDEN_ADDRESS);
            assertReason(vetter.vet(URI.create("http://u@a.example/"), LONG), Reason.MALFORMED_URL);
            assertReason(vetter.vet(url("hooks"), LONG), Reason.FORBIDDEN_ANSWER);
            assertThatThrownBy(() -> vetter.vetNow(url("hooks"), LONG)).isInstanceOf(UnsafeDestinationException.class);
        }
    }

    @Test
    void whateverAResolverThrowsIsNoAnswer() {
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
    void aResolverThatHangsHitsTheDeadline() {
        CountDownLatch release = new CountDownLatch(1);
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()))) {
            assertReason(vetter.vet(url("hooks"), SHORT), Reason.NO_ANSWER);
            assertThatThrownBy(() -> vetter.vetNow(url("hooks"), SHORT))
                    .hasMessage(messageForAForbiddenAnswer())
                    .hasMessageNotContaining("time");
        } finally {
            release.countDown();
        }
    }

    @Test
    void aNameThatHangsTakesOneThreadHoweverOftenItIsAsked() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = new DestinationVetter(
                POLICY,
                host -> host.startsWith("hang")
                        ? hanging(release, asked).resolve(host)
                        : List.of(Sending.address("93.184.215.14")),
                2,
                10)) {
            List<CompletableFuture<VettedDestination>> stuck = IntStream.range(0, 50)
                    .mapToObj(i -> vetter.vet(url("hang"), LONG))
                    .toList();

            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);

            release.countDown();
            assertThat(stuck)
                    .allSatisfy(answer -> assertThat(answer.join().addresses()).hasSize(1));
            assertThat(asked.get()).isEqualTo(1);
        }
    }

    @Test
    void namesBeyondTheQueueAreRefusedAtOnce() {
        CountDownLatch release = new CountDownLatch(1);
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()), 1, 1)) {
            CompletableFuture<VettedDestination> running = vetter.vet(url("a"), LONG);
            CompletableFuture<VettedDestination> waiting = vetter.vet(url("b"), LONG);

            assertThatThrownBy(() -> vetter.vetNow(url("c"), LONG))
                    .isInstanceOfSatisfying(
                            UnsafeDestinationException.class,
                            e -> assertThat(e.detail()).contains("too many names"));

            release.countDown();
            assertThat(running.join().addresses()).hasSize(1);
            assertThat(waiting.join().addresses()).hasSize(1);
        }
    }

    @Test
    void aNameThatNobodyWaitsForAnyMoreLeavesTheQueueAndIsNotLookedUp() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, asked), 1, 1)) {
            CompletableFuture<VettedDestination> running = vetter.vet(url("a"), LONG);
            assertReason(vetter.vet(url("b"), SHORT), Reason.NO_ANSWER);

            CompletableFuture<VettedDestination> waiting = vetter.vet(url("c"), LONG);
            release.countDown();

            assertThat(running.join().addresses()).hasSize(1);
            assertThat(waiting.join().addresses()).hasSize(1);
            assertThat(asked.get()).isEqualTo(2);
        }
    }

    @Test
    void aNameStaysInTheQueueForAsLongAsOneAskerWaits() {
        CountDownLatch release = new CountDownLatch(1);
        try (DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()), 1, 1)) {
            CompletableFuture<VettedDestination> running = vetter.vet(url("a"), LONG);
            CompletableFuture<VettedDestination> patient = vetter.vet(url("b"), LONG);
            assertReason(vetter.vet(url("b"), SHORT), Reason.NO_ANSWER);
            release.countDown();

            assertThat(running.join().addresses()).hasSize(1);
            assertThat(patient.join().addresses()).hasSize(1);
        }
    }

    @Test
    void theNextQuestionIsAskedAnew() {
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter = new DestinationVetter(
                POLICY,
                host -> List.of(Sending.address(asked.incrementAndGet() == 1 ? "93.184.215.14" : "10.0.0.1")))) {
            assertThat(vetter.vetNow(url("hooks"), LONG).addresses()).hasSize(1);
            assertReason(vetter.vet(url("hooks"), LONG), Reason.FORBIDDEN_ANSWER);
        }
    }

    @Test
    void closingEndsWhatWaitsAndRefusesTheRest() {
        CountDownLatch release = new CountDownLatch(1);
        DestinationVetter vetter = new DestinationVetter(POLICY, hanging(release, new AtomicInteger()));
        CompletableFuture<VettedDestination> waiting = vetter.vet(url("hooks"), LONG);

        vetter.close();

        assertReason(waiting, Reason.NO_ANSWER);
        assertReason(vetter.vet(url("other"), LONG), Reason.NO_ANSWER);
        release.countDown();
    }

    @Test
    void anInterruptedWaitIsARefusalThatKeepsTheInterrupt() {
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

    private static HostResolver hanging(CountDownLatch release, AtomicInteger asked) {
        return host -> {
            asked.incrementAndGet();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
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
}
