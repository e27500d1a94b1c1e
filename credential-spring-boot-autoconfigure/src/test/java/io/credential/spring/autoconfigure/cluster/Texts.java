package io.credential.spring.autoconfigure.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.credential.internal.notification.NotificationListener;

/** Writes down what it is told. */
final class Texts implements NotificationListener {

    private final List<String> received = new CopyOnWriteArrayList<>();

    List<String> received() {
        return received;
    }

    @Override
    public void received(String text) {
        received.add(text);
    }

    @Override
    public void missed() {}
}
