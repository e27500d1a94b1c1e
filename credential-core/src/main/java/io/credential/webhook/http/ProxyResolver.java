package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.apache.hc.client5.http.DnsResolver;
import org.jspecify.annotations.Nullable;

/** Resolves the egress proxy that the operator has chosen and nothing else: destinations come with their addresses. */
final class ProxyResolver implements DnsResolver {

    private final @Nullable String proxyHost;

    ProxyResolver(@Nullable String proxyHost) {
        this.proxyHost = proxyHost;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        if (!host.equals(proxyHost)) {
            throw new UnknownHostException("Destinations are resolved before they get here");
        }
        return InetAddress.getAllByName(host);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
