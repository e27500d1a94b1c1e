package io.credential.spring.autoconfigure.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Names a node without a configured name. It need not be unique: nodes with the same name are told apart.
 *
 * @since 0.1.0
 */
public final class HostName {

    private static final String UNKNOWN = "node";

    private HostName() {}

    /** Returns the name of this host, or {@code node} when it cannot tell. */
    public static String ofThisMachine() {
        try {
            String name = InetAddress.getLocalHost().getHostName();
            return name.isBlank() ? UNKNOWN : name;
        } catch (UnknownHostException e) {
            // A host that cannot resolve its own name is common in containers, and must not prevent startup.
            return UNKNOWN;
        }
    }
}
