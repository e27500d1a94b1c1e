package io.credential.webhook.delivery.fault;

import java.util.Queue;
import java.util.function.IntConsumer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.CountingReceiver;
import io.credential.webhook.delivery.NodesFixture;

import static org.assertj.core.api.Assertions.assertThat;

/** A node is killed between the commit of an event that it dispatched and the settling of the delivery. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class DispatchThenKillIT {

    @AutoClose
    private final NodesFixture fixture;

    private final Queue<IntConsumer> held;

    DispatchThenKillIT(DatabaseKind kind) {
        fixture = new NodesFixture(kind);
        held = fixture.receiver.hold("/endpoint");
        fixture.endpoint("endpoint", "event");
    }

    @Test
    void killWhenSentAndNotSettledThenSentOnceMore() {
        ChildProcess dispatching = fixture.process(DispatchingNode.class, "payloadBytes=2");
        Patience.until(() -> held.size() == 1);

        dispatching.kill();
        fixture.receiver.answer("/endpoint", 200);
        fixture.node("clockAhead=P1D"); // the claim of the other is then too old

        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        assertThat(fixture.receiver.receipts())
                .extracting(CountingReceiver.Receipt::attempt)
                .containsExactly(1, 2);
        assertThat(fixture.deliveryIds("attempts = 2")).hasSize(1);
    }
}
