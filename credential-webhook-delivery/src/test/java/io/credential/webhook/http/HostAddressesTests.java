package io.credential.webhook.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HostAddressesTests {

    private static final byte[] OURS = Sending.address("198.41.0.4").getAddress();

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final AtomicLong now = new AtomicLong(-5);
    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void containsWhenAskedOftenThenReadsOnceEachHalfMinute() {
        HostAddresses addresses = reading(Set.of(Sending.address("198.41.0.4")));

        for (int i = 0; i < 100; i++) {
            assertThat(addresses.contains(OURS)).isTrue();
        }
        assertThat(reads).hasValue(1);

        now.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(addresses.contains(OURS)).isTrue();
        assertThat(addresses.contains(OURS)).isTrue();
        assertThat(reads).hasValue(2);
    }

    @Test
    void containsWhenInterfacesChangeThenFollows() {
        AtomicInteger turn = new AtomicInteger();
        HostAddresses addresses = new HostAddresses(
                () -> turn.getAndIncrement() == 0 ? Set.of() : Set.of(Sending.address("198.41.0.4")), now::get);

        assertThat(addresses.contains(OURS)).isFalse();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(addresses.contains(OURS)).isTrue();
    }

    @Test
    void containsWhenALaterReadFailsThenUsesTheEarlierOne() {
        AtomicInteger turn = new AtomicInteger();
        HostAddresses addresses = new HostAddresses(
                () -> {
                    if (turn.getAndIncrement() > 0) {
                        throw new IOException("no interfaces");
                    }
                    return Set.of(Sending.address("198.41.0.4"));
                },
                now::get);

        assertThat(addresses.contains(OURS)).isTrue();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(addresses.contains(OURS)).isTrue();
        assertThat(addresses.contains(OURS)).isTrue();
        assertThat(turn).hasValue(2);
    }

    @Test
    void containsWhenNoReadSucceededThenFailsAndReadsAgain() {
        AtomicInteger turn = new AtomicInteger();
        HostAddresses addresses = new HostAddresses(
                () -> {
                    if (turn.getAndIncrement() == 0) {
                        throw new IOException("no interfaces");
                    }
                    return Set.of();
                },
                now::get);

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> addresses.contains(OURS));
        assertThat(addresses.contains(OURS)).isFalse();
    }

    @Test
    void containsWhenAnotherThreadReadsThenDoesNotWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger turn = new AtomicInteger();
        HostAddresses addresses = new HostAddresses(
                () -> {
                    if (turn.getAndIncrement() > 0) {
                        begun.countDown();
                        Patience.await(release);
                    }
                    return Set.of(Sending.address("198.41.0.4"));
                },
                now::get);
        assertThat(addresses.contains(OURS)).isTrue();
        now.addAndGet(Duration.ofMinutes(1).toNanos());

        CompletableFuture<Boolean> slow = CompletableFuture.supplyAsync(() -> addresses.contains(OURS), threads);
        Patience.await(begun);
        assertThat(addresses.contains(OURS)).isTrue();
        release.countDown();

        assertThat(Patience.get(slow)).isTrue();
        assertThat(turn).hasValue(2);
    }

    @Test
    void systemThenContainsTheAddressesOfEveryInterface() throws IOException {
        List<InetAddress> all = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .toList();

        assertThat(all).isNotEmpty();
        assertThat(all).allMatch(address -> HostAddresses.system().contains(address.getAddress()));
    }

    private HostAddresses reading(Set<InetAddress> own) {
        return new HostAddresses(
                () -> {
                    reads.incrementAndGet();
                    return own;
                },
                now::get);
    }
}
