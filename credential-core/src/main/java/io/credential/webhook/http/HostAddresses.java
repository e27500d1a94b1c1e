package io.credential.webhook.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.webhook.http.address.IpLiteral;

/**
 * The addresses of this host's own network interfaces, public ones among them: services that listen there may trust
 * callers on this host. Interfaces change, so one thread reads the addresses again every half minute, while the others use
 * the previous result. Thread-safe.
 */
final class HostAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(HostAddresses.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(30).toNanos();

    private final Interfaces interfaces;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Snapshot latest;

    /**
     * @param nanoTime a clock that never goes back, in nanoseconds
     */
    HostAddresses(Interfaces interfaces, LongSupplier nanoTime) {
        this.interfaces = interfaces;
        this.nanoTime = nanoTime;
    }

    /** Those of the operating system. Nothing is read before the first question. */
    static HostAddresses system() {
        return new HostAddresses(HostAddresses::ofAllInterfaces, System::nanoTime);
    }

    /**
     * Whether the address belongs to this host.
     *
     * @param address 4 or 16 bytes
     * @throws UncheckedIOException if the interfaces have never been read and cannot be
     */
    boolean contains(byte[] address) {
        return current().contains(IpLiteral.address(address));
    }

    private Set<InetAddress> current() {
        Snapshot known = latest;
        if (known == null) {
            return first();
        }
        if (nanoTime.getAsLong() - known.readAt >= FRESH_NANOS && reading.tryLock()) {
            try {
                return refresh(known);
            } finally {
                reading.unlock();
            }
        }
        return known.addresses;
    }

    private Set<InetAddress> first() {
        reading.lock();
        try {
            Snapshot known = latest;
            return known != null ? known.addresses : keep(interfaces.addresses());
        } catch (IOException e) {
            throw new UncheckedIOException("The network interfaces of this host cannot be read", e);
        } finally {
            reading.unlock();
        }
    }

    private Set<InetAddress> refresh(Snapshot known) {
        try {
            return keep(interfaces.addresses());
        } catch (IOException e) {
            LOG.warn("Could not read the network interfaces of this host; using the previous result", e);
            return keep(known.addresses);
        }
    }

    private Set<InetAddress> keep(Set<InetAddress> addresses) {
        latest = new Snapshot(addresses, nanoTime.getAsLong());
        return addresses;
    }

    /** Without the scopes that addresses of interfaces have. */
    private static Set<InetAddress> ofAllInterfaces() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(address -> IpLiteral.address(address.getAddress()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Reads the addresses of all interfaces. */
    @FunctionalInterface
    interface Interfaces {
        Set<InetAddress> addresses() throws IOException;
    }

    private record Snapshot(Set<InetAddress> addresses, long readAt) {}
}
