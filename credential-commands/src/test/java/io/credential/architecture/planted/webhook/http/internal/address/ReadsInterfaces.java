package io.credential.architecture.planted.webhook.http.internal.address;

import java.net.NetworkInterface;
import java.net.SocketException;

/** Breaks: addresses are judged without the network. */
public final class ReadsInterfaces {

    public Object first() throws SocketException {
        return NetworkInterface.getByIndex(1);
    }
}
