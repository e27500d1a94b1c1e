package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks up the addresses of a host name. Must be thread-safe. May block, since it is called on separate threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HostResolver {

    /**
     * @param host a name, never an address; with a trailing dot if the URL has one
     * @return the addresses in the order of preference
     * @throws UnknownHostException if the name has no address or could not be looked up
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;

    /** Returns the resolver of the JDK and the operating system, with the JDK's cache. */
    static HostResolver system() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
