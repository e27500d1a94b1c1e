package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Makes the JDK's addresses from bytes. */
final class Addresses {

    private Addresses() {}

    /**
     * An address that knows no name, so that nothing looks one up.
     *
     * @param bytes 4 or 16; an IPv4-mapped address becomes the IPv4 address
     */
    static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("An address has 4 or 16 bytes, not " + bytes.length, e);
        }
    }
}
