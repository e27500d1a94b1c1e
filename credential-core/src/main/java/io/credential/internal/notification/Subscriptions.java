package io.credential.internal.notification;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.internal.notification.NodeNotifications.Subscription;

/** The listeners of this node. Thread-safe. */
final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    Subscription add(String topic, NotificationListener listener) {
        Entry entry = new Entry(topic, listener);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    void received(Message message) {
        for (Entry entry : entries) {
            if (entry.topic.equals(message.topic())) {
                call(
                        entry,
                        message.isEverything()
                                ? NotificationListener::missed
                                : listener -> listener.received(message.text()));
            }
        }
    }

    void missed() {
        entries.forEach(entry -> call(entry, NotificationListener::missed));
    }

    /** One listener that fails must not end the connection of all. */
    private static void call(Entry entry, Consumer<NotificationListener> notification) {
        try {
            notification.accept(entry.listener);
        } catch (RuntimeException | Error e) {
            LOG.error("A listener of the notifications of topic {} failed", entry.topic, e);
        }
    }

    /** No record: two subscriptions of one listener are different. */
    private static final class Entry {

        private final String topic;
        private final NotificationListener listener;

        Entry(String topic, NotificationListener listener) {
            this.topic = topic;
            this.listener = listener;
        }
    }
}
