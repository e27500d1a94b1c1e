package io.credential.webhook.delivery.internal.engine;

import org.jspecify.annotations.Nullable;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;

/** Notifications of due deliveries, between the nodes that work on the same deliveries. Thread-safe. */
final class DueNotifications {

    private static final String TOPIC = "webhook-deliveries";

    private final NodeNotifications notifications;
    private final String deliveriesTable;
    private final Runnable onDue;
    private volatile NodeNotifications.@Nullable Subscription subscription;

    /** @param onDue called when deliveries may be due that this node does not know about; must return at once */
    DueNotifications(NodeNotifications notifications, String deliveriesTable, Runnable onDue) {
        this.notifications = notifications;
        this.deliveriesTable = deliveriesTable;
        this.onDue = onDue;
    }

    /** Makes idle nodes look for due deliveries. Returns at once. */
    void publish() {
        notifications.publish(TOPIC, deliveriesTable);
    }

    synchronized void subscribe() {
        if (subscription == null) {
            subscription = notifications.subscribe(TOPIC, new Due());
        }
    }

    synchronized void unsubscribe() {
        NodeNotifications.Subscription open = subscription;
        if (open != null) {
            open.close();
            subscription = null;
        }
    }

    boolean isSubscribed() {
        return subscription != null;
    }

    private final class Due implements NotificationListener {

        @Override
        public void received(String text) {
            if (text.equals(deliveriesTable)) {
                onDue.run();
            }
        }

        @Override
        public void missed() {
            onDue.run();
        }
    }
}
