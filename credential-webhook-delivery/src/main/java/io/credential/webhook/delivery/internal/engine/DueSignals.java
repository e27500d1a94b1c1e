package io.credential.webhook.delivery.internal.engine;

import java.util.Collection;

import io.credential.internal.notification.NodeNotifications;

/** Tells the loop of this node, and those of others if need be, that deliveries are due. Thread-safe. */
public final class DueSignals {

    private final DueEndpoints dueEndpoints = new DueEndpoints();
    private final ScanPace pace;
    private final Admission admission;
    private final Wakeup wakeup;
    private final DueNotifications notifications;

    /** @param deliveriesTable nodes with the same table notify each other */
    public DueSignals(Admission admission, Wakeup wakeup, NodeNotifications notifications, String deliveriesTable) {
        ScanPace pace = new ScanPace(System::nanoTime);
        this.pace = pace;
        this.admission = admission;
        this.wakeup = wakeup;
        this.notifications = new DueNotifications(notifications, deliveriesTable, () -> {
            pace.poll();
            wakeup.now();
        });
    }

    DueEndpoints dueEndpoints() {
        return dueEndpoints;
    }

    ScanPace pace() {
        return pace;
    }

    Admission admission() {
        return admission;
    }

    Wakeup wakeup() {
        return wakeup;
    }

    DueNotifications notifications() {
        return notifications;
    }

    /**
     * Notes that these endpoints have pending deliveries, due since a time in Unix milliseconds. Notifies other nodes if this
     * node cannot attempt them at once.
     */
    public void due(Collection<String> endpointIds, long dueAt) {
        if (!endpointIds.isEmpty()) {
            // Before the loop wakes: it may claim these deliveries at once, and fill the endpoint with them.
            boolean needsOthers = !notifications.isSubscribed() || admission.isAnyFull(endpointIds);
            endpointIds.forEach(endpointId -> dueEndpoints.add(endpointId, dueAt));
            wakeup.now();
            if (needsOthers) {
                notifications.publish();
            }
        }
    }

    /** Makes the loops of all nodes look for due deliveries that they do not know about. */
    public void scanAgain() {
        dueEndpoints.markIncomplete();
        wakeup.now();
        notifications.publish();
    }

    /** Makes the loop of this node look for due deliveries, as soon as the pause after the last scan is over. */
    void poll() {
        pace.poll();
        wakeup.now();
    }
}
