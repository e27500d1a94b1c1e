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
    void tellThenOtherNodesOfTheTableAreTold() {
        AtomicInteger elsewhere = new AtomicInteger();
        OtherNodes others = new OtherNodes(there, "deliveries", elsewhere::incrementAndGet);
        others.listen();

        nodes.tell();

        assertThat(elsewhere).hasValue(1);
        assertThat(due).hasValue(0);
    }

    @Test
    void listenWhenToldOfAnotherTableThenIgnored() {
        nodes.listen();

        new OtherNodes(there, "other_deliveries", () -> {}).tell();

        assertThat(due).hasValue(0);
    }

    @Test
    void listenWhenMessagesMayBeMissedThenDue() {
        nodes.listen();
        nodes.listen();

        here.reconnect();

        assertThat(due).hasValue(1);
    }

    @Test
    void ignoreThenNoLongerTold() {
        nodes.listen();
        nodes.ignore();
        nodes.ignore();

        new OtherNodes(there, "deliveries", () -> {}).tell();

        assertThat(due).hasValue(0);
    }
}
