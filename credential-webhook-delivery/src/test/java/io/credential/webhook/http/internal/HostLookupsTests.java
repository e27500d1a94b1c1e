package io.credential.webhook.http.internal;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HostLookupsTests {

    private static final String THREADS = "host-lookups-test";
    private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();

    private final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> alarms = new ConcurrentLinkedQueue<>();

    @AfterEach
    void releaseAll() {
        hanging.values().forEach(CountDownLatch::countDown);
        LiveThreads.awaitNone(THREADS);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void lookUpWhenManyHangThenOthersAreAnswered(int names) {
        try (HostLookups lookups = lookups(16)) {
            IntStream.range(0, names).forEach(i -> hang(lookups, "hang" + i));

            CompletableFuture<List<InetAddress>> other = lookups.lookUp("other").answer();

            Patience.until(() -> {
                aSecondPasses();
                return other.isDone();
            });
            assertThat(Patience.join(other)).containsExactly(ADDRESS);
        }
    }

    @Test
    void lookUpWhenAllThreadsHangThenNotBegun() {
        try (HostLookups lookups = lookups(1)) {
            IntStream.range(0, 5).forEach(i -> hang(lookups, "hang" + i));
            Patience.until(() -> {
                aSecondPasses();
                return begun.size() == 5;
            });
            aSecondPasses();

            HostLookups.Lookup next = lookups.lookUp("next");

            assertThat(LiveThreads.named(THREADS)).hasSize(5);
            assertThat(next.giveUp()).isTrue();
        }
    }

    @Test
    void lookUpWhenHangingNamesEndThenThreadsEnd() {
        try (HostLookups lookups = lookups(1)) {
            hang(lookups, "a");
            hang(lookups, "b");
            Patience.until(() -> {
                aSecondPasses();
                return begun.size() == 2;
            });
            release("a");
            release("b");

            Patience.until(() -> LiveThreads.named(THREADS).size() == 1);
        }
    }

    @Test
    void lookUpWhenNamesAreSlowThenTheyShareFewThreads() throws Exception {
        try (HostLookups lookups = lookups(4)) {
            makeSlow(lookups, "a");
            makeSlow(lookups, "b");
            begun.clear();

            hang(lookups, "a");
            HostLookups.Lookup waiting = hang(lookups, "b");

            assertThat(Patience.get(lookups.lookUp("other").answer())).containsExactly(ADDRESS);
            assertThat(begun).doesNotContain("b");
            assertThat(waiting.giveUp()).isTrue();
        }
    }

    @Test
    void lookUpWhenASlowNameIsFastAgainThenNotConfined() throws Exception {
        try (HostLookups lookups = lookups(1)) {
            makeSlow(lookups, "a");
            makeSlow(lookups, "b");
            Patience.get(lookups.lookUp("a").answer());

            hang(lookups, "b");

            assertThat(Patience.get(lookups.lookUp("a").answer())).containsExactly(ADDRESS);
        }
    }

    @Test
    void lookUpWhenNoThreadCanBeHadThenCongestedThisTime() throws Exception {
        ScarceThreads threads = new ScarceThreads();
        try (HostLookups lookups = new HostLookups(this::resolve, 1, 1, this::alarm, threads)) {
            assertCongested(lookups.lookUp("partner.example"));
            threads.provide();

            assertThat(Patience.get(lookups.lookUp("partner.example").answer())).containsExactly(ADDRESS);
        }
    }

    @Test
    void lookUpWhenThereIsNoThreadForAlarmThenCongested() {
        try (HostLookups lookups = new HostLookups(
                this::resolve,
                1,
                1,
                alarm -> CompletableFuture.runAsync(
                        alarm, task -> new ScarceThreads().newThread(task).start()),
                DaemonThreads.numbered(THREADS))) {
            assertCongested(lookups.lookUp("partner.example"));
        }
    }

    private static void assertCongested(HostLookups.Lookup lookup) {
        assertThatThrownBy(() -> Patience.get(lookup.answer()))
                .cause()
                .isInstanceOfSatisfying(
                        WebhookTransportException.class,
                        e -> assertThat(e.failure()).isEqualTo(Failure.OVERLOADED));
    }

    private HostLookups lookups(int threads) {
        return new HostLookups(this::resolve, threads, 1024, this::alarm, DaemonThreads.numbered(THREADS));
    }

    private HostLookups.Lookup hang(HostLookups lookups, String host) {
        hanging.put(host, new CountDownLatch(1));
        return lookups.lookUp(host);
    }

    /** Lets a lookup of the name take longer than a second, and end. */
    private void makeSlow(HostLookups lookups, String host) throws Exception {
        HostLookups.Lookup lookup = hang(lookups, host);
        Patience.until(() -> begun.contains(host));
        aSecondPasses();
        release(host);
        Patience.get(lookup.answer());
    }

    private void release(String host) {
        Objects.requireNonNull(hanging.remove(host)).countDown();
    }

    private List<InetAddress> resolve(String host) {
        begun.add(host);
        CountDownLatch release = hanging.get(host);
        if (release != null) {
            Sending.hang(release);
        }
        return List.of(ADDRESS);
    }

    private Future<?> alarm(Runnable work) {
        alarms.add(work);
        return new CompletableFuture<>();
    }

    /** For every lookup that has begun. */
    private void aSecondPasses() {
        for (Runnable alarm = alarms.poll(); alarm != null; alarm = alarms.poll()) {
            alarm.run();
        }
    }
}
