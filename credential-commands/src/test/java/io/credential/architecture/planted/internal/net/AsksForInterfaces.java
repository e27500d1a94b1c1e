package io.credential.architecture.planted.internal.net;

import java.net.NetworkInterface;
import java.net.SocketException;

/** Breaks: addresses are read without the network. */
public final class AsksForInterfaces {

    public Object first() throws SocketException {
        return NetworkInterface.getByIndex(1);
    }
}
