package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

/**
 * A destination that a {@link DestinationPolicy} has accepted, with the addresses that it checked. Only a policy creates
 * one, so a transport that connects to these addresses only never connects to an unvetted one. Immutable. Valid for one
 * attempt: vet again for the next, since DNS may have changed.
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

    /** The URL as it was given. */
    public URI uri() {
        return url.uri();
    }

    /** The scheme in lower case: {@code https} or {@code http}. */
    public String scheme() {
        return url.scheme();
    }

    /**
     * The host for TLS and the {@code Host} header: a name in lower case without a trailing dot, or an address in its
     * one canonical form, IPv6 without brackets.
     */
    public String host() {
        return url.host();
    }

    /** The port to connect to, also where the URL leaves it to the scheme. */
    public int port() {
        return url.port();
    }

    /** The addresses to connect to, at least one, in the order of preference. */
    public List<InetAddress> addresses() {
        return addresses;
    }

    /** Scheme, host and port, without the path, which may hold a secret, and without the addresses. */
    @Override
    public String toString() {
        String shown = host().indexOf(':') < 0 ? host() : "[" + host() + "]";
        return scheme() + "://" + shown + ":" + port();
    }
}
