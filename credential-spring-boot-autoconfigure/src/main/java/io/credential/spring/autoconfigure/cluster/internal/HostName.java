package io.credential.spring.autoconfigure.cluster.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.util.function.SingletonSupplier;

import io.credential.spring.autoconfigure.properties.CredentialProperties;

/** Provides the default name of a node. It need not be unique: nodes with the same name are told apart. */
public final class HostName {

    private static final String UNKNOWN = "node";

    /** A lookup may take long, so there is only one. */
    private static final SingletonSupplier<String> THIS_MACHINE = SingletonSupplier.of(HostName::lookUp);

    private HostName() {}

    /** Returns the configured name of this node, or its host name. */
    public static String nodeName(CredentialProperties.Cluster cluster) {
        return cluster.nodeId().isEmpty() ? ofThisMachine() : cluster.nodeId();
    }

    /** Returns the host name, or {@code node} if it is unknown. */
    public static String ofThisMachine() {
        return THIS_MACHINE.obtain();
    }

    private static String lookUp() {
        try {
            String name = InetAddress.getLocalHost().getHostName();
            return name.isBlank() ? UNKNOWN : name;
        } catch (UnknownHostException e) {
            // A host that cannot resolve its own name is common in containers, and must not prevent startup.
            return UNKNOWN;
        }
    }
}
