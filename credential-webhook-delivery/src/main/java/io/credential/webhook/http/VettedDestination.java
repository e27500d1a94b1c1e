package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

/**
 * A destination that a {@link DestinationPolicy} has accepted, with the addresses that it checked. Only a policy
 * creates one, so a transport that uses only these addresses never connects to an unvetted one. Valid for one attempt:
 * vet again for the next, since DNS may have changed. Immutable.
 *
 * @since 0.1.0
 */
public final class VettedDestination {

    private final DestinationUrl url;
    private final List<InetAddress> addresses;

    VettedDestination(DestinationUrl url, List<InetAddress> addresses) {
        this.url = url;
        this.addresses = List.copyOf(addresses);
    }

    /** Returns the URL as it was given. */
    public URI uri() {
        return url.uri();
    }

    /** Returns the scheme in lower case: {@code https} or {@code http}. */
    public String scheme() {
        return url.scheme();
    }

    /**
     * Returns the host for TLS: a name in lower case without a trailing dot, or an address in canonical form, IPv6
     * without brackets.
     */
    public String host() {
        return url.host();
    }

    /** Returns the value of the {@code Host} header: host and port as written in the URL. */
    public String authority() {
        return url.authority();
    }

    /** Returns the port, which is that of the scheme if the URL has none. */
    public int port() {
        return url.port();
    }

    /** Returns the addresses to connect to, at least one, in the order of preference. */
    public List<InetAddress> addresses() {
        return addresses;
    }

    /** Without the path, which may contain a secret, and without the addresses. */
    @Override
    public String toString() {
        String shown = host().indexOf(':') < 0 ? host() : "[" + host() + "]";
        return scheme() + "://" + shown + ":" + port();
    }
}
