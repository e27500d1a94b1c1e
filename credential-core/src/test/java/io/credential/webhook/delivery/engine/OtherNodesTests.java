package io.credential.webhook.delivery.engine;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.LocalNotifications;

import static org.assertj.core.api.Assertions.assertThat;

class OtherNodesTests {

    private final LocalNotifications network = new LocalNotifications();
    private final LocalNotifications.Node here = network.node();
    private final AtomicInteger due = new AtomicInteger();
    private final OtherNodes nodes = new OtherNodes(here, "deliveries", due::incrementAndGet);
    private final LocalNotifications.Node there = network.node();

    @Test
    void notifyDueThenOtherNodesOfTheTableAreNotified() {
        AtomicInteger elsewhere = new AtomicInteger();
        OtherNodes others = new OtherNodes(there, "deliveries", elsewhere::incrementAndGet);
        others.subscribe();

        nodes.notifyDue();

        assertThat(elsewhere).hasValue(1);
        assertThat(due).hasValue(0);
    }

    @Test
    void subscribeWhenTableIsAnotherThenIgnored() {
        nodes.subscribe();

        new OtherNodes(there, "other_deliveries", () -> {}).notifyDue();

        assertThat(due).hasValue(0);
    }

    @Test
    void subscribeWhenMessagesMayBeMissedThenDue() {
        nodes.subscribe();
        nodes.subscribe();

        here.reconnect();

        assertThat(due).hasValue(1);
    }

    @Test
    void unsubscribeThenNoLongerNotified() {
        nodes.subscribe();
        nodes.unsubscribe();
        nodes.unsubscribe();

        new OtherNodes(there, "deliveries", () -> {}).notifyDue();

        assertThat(due).hasValue(0);
    }
}
