package io.credential.internal.notification;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what it receives. */
final class RecordingListener implements NotificationListener {

    final List<String> texts = new CopyOnWriteArrayList<>();
    final AtomicInteger missed = new AtomicInteger();

    @Override
    public void received(String text) {
        texts.add(text);
    }

    @Override
    public void missed() {
        missed.incrementAndGet();
    }
}
