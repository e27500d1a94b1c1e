package io.credential.webhook.delivery.internal.engine;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.LocalNotifications;

import static org.assertj.core.api.Assertions.assertThat;

class DueNotificationsTests {

    private final LocalNotifications network = new LocalNotifications();
    private final LocalNotifications.Node here = network.node();
    private final AtomicInteger due = new AtomicInteger();
    private final DueNotifications notifications = new DueNotifications(here, "deliveries", due::incrementAndGet);
    private final LocalNotifications.Node there = network.node();

    @Test
    void publishThenOtherNodesOfTheTableAreNotified() {
        AtomicInteger elsewhere = new AtomicInteger();
        DueNotifications others = new DueNotifications(there, "deliveries", elsewhere::incrementAndGet);
        others.subscribe();

        notifications.publish();

        assertThat(elsewhere).hasValue(1);
        assertThat(due).hasValue(0);
    }

    @Test
    void subscribeWhenTableIsAnotherThenIgnored() {
        notifications.subscribe();

        new DueNotifications(there, "other_deliveries", () -> {}).publish();

        assertThat(due).hasValue(0);
    }

    @Test
    void subscribeWhenMessagesMayBeMissedThenDue() {
        notifications.subscribe();
        notifications.subscribe();

        here.reconnect();

        assertThat(due).hasValue(1);
    }

    @Test
    void unsubscribeThenNoLongerNotified() {
        notifications.subscribe();
        notifications.unsubscribe();
        notifications.unsubscribe();

        new DueNotifications(there, "deliveries", () -> {}).publish();

        assertThat(due).hasValue(0);
    }
}
