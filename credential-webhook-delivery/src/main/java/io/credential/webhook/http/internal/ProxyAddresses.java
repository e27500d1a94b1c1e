package io.credential.webhook.http.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.apache.hc.client5.http.DnsResolver;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.HostResolver;

/**
 * Resolves the configured egress proxy and no other host: the addresses of destinations are known already. The client
 * asks on the thread that connects, which may be that of the deadline timer, so the name is resolved in advance.
 * Thread-safe.
 */
final class ProxyAddresses implements DnsResolver, AutoCloseable {

    private final @Nullable String proxyHost;
    private final HostLookups lookups;
    private volatile List<InetAddress> latest = List.of();

    /**
     * @param proxyHost null for no proxy; then no name is resolved
     */
    ProxyAddresses(@Nullable String proxyHost, HostResolver resolver, DeadlineTimer timer) {
        this.proxyHost = proxyHost;
        // One thread is enough: there is one name, and all callers share its lookup.
        this.lookups = new HostLookups(resolver, 1, 1, work -> timer.after(HostLookups.FAST, work));
    }

    /**
     * Resolves the name again on a separate thread. The future fails with the exception of the resolver.
     *
     * @return empty if no proxy is configured
     */
    Optional<CompletableFuture<Void>> refresh() {
        return Optional.ofNullable(proxyHost)
                .map(host -> lookups.lookUp(host).answer().thenAccept(addresses -> latest = addresses));
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        List<InetAddress> addresses = latest;
        if (!host.equals(proxyHost) || addresses.isEmpty()) {
            throw new UnknownHostException("Destinations are resolved before they get here");
        }
        return addresses.toArray(new InetAddress[0]);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    @Override
    public void close() {
        lookups.close();
    }
}
