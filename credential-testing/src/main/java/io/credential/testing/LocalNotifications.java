package io.credential.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;

/** Notifications between the nodes of one test: a message reaches the others on the thread of its sender. */
public final class LocalNotifications {

    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private volatile boolean lossy;

    /** From now on, no message arrives, and no node knows. */
    public void lose() {
        lossy = true;
    }

    /** Another node. */
    public Node node() {
        Node node = new Node();
        nodes.add(node);
        return node;
    }

    /** The notifications of one node; writes down what it sends. */
    public final class Node implements NodeNotifications {

        private final List<Entry> entries = new CopyOnWriteArrayList<>();
        private final List<String> published = new CopyOnWriteArrayList<>();
        private volatile boolean listening = true;

        /** Topics and texts. */
        public List<String> published() {
            return published;
        }

        /** As if the connection had just been established. */
        public void reconnect() {
            entries.forEach(entry -> entry.listener.missed());
            listening = true;
        }

        /** As if the connection had been lost. */
        public void disconnect() {
            listening = false;
        }

        @Override
        public void publish(String topic, String text) {
            published.add(topic + " " + text);
            if (lossy) {
                return;
            }
            nodes.stream()
                    .filter(node -> node != this && node.listening)
                    .flatMap(node -> node.entries.stream())
                    .filter(entry -> entry.topic.equals(topic))
                    .forEach(entry -> entry.listener.received(text));
        }

        @Override
        public Subscription subscribe(String topic, NotificationListener listener) {
            Entry entry = new Entry(topic, listener);
            entries.add(entry);
            return () -> entries.remove(entry);
        }

        @Override
        public boolean isListening() {
            return listening;
        }
    }

    private record Entry(String topic, NotificationListener listener) {}
}
