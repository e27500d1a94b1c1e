package io.credential.spring.autoconfigure.cluster.internal;

import java.net.InetAddress;

import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.atMostOnce;
import static org.mockito.Mockito.mockStatic;

class HostNameTests {

    /** A lookup may take long, and its limit is that of the resolver. */
    @Test
    void ofThisMachineThenIsLookedUpOnce() {
        try (MockedStatic<InetAddress> resolver = mockStatic(InetAddress.class, CALLS_REAL_METHODS)) {
            HostName.ofThisMachine();
            HostName.ofThisMachine();

            resolver.verify(InetAddress::getLocalHost, atMostOnce());
        }
    }
}
