package io.credential.webhook.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.credential.internal.net.IpLiteral;

/**
 * The addresses of this host's own network interfaces, including public ones: services that listen there may trust
 * callers on this host. Interfaces change, so a caller reads them again after half a minute, while others use the
 * previous result. Thread-safe.
 */
final class HostAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(HostAddresses.class);
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** The only key: the cache is used for its refresh, which lets other threads read the previous result. */
    private static final String ALL = "all";

    private final LoadingCache<String, Set<InetAddress>> addresses;

    /**
     * @param nanoTime a clock that never goes back, in nanoseconds
     */
    HostAddresses(Interfaces interfaces, LongSupplier nanoTime) {
        addresses = Caffeine.newBuilder()
                .refreshAfterWrite(FRESH)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run) // refreshes on the calling thread
                .build(new Reader(interfaces));
    }

    /** Returns the addresses that the operating system reports. They are read on first use. */
    static HostAddresses system() {
        return new HostAddresses(HostAddresses::ofAllInterfaces, System::nanoTime);
    }

    /**
     * Returns whether the address belongs to this host.
     *
     * @param address 4 or 16 bytes
     * @throws UncheckedIOException if the interfaces have never been read and cannot be read now
     */
    boolean contains(byte[] address) {
        return addresses.get(ALL).contains(IpLiteral.address(address));
    }

    /** Without the scopes that addresses of interfaces may have. */
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

    private record Reader(Interfaces interfaces) implements CacheLoader<String, Set<InetAddress>> {

        @Override
        public Set<InetAddress> load(String key) {
            try {
                return interfaces.addresses();
            } catch (IOException e) {
                throw new UncheckedIOException("The network interfaces of this host cannot be read", e);
            }
        }

        @Override
        public Set<InetAddress> reload(String key, Set<InetAddress> previous) {
            try {
                return load(key);
            } catch (UncheckedIOException e) {
                LOG.warn("Could not read the network interfaces of this host; using the previous result", e);
                return previous;
            }
        }
    }
}
