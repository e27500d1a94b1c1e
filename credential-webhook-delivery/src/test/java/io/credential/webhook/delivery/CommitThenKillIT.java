package io.credential.webhook.delivery;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.DatabaseKind;

import static org.assertj.core.api.Assertions.assertThat;

/** What was committed is delivered, though nobody was left to do so; what was not committed never was there. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class CommitThenKillIT {

    @AutoClose
    private final NodesFixture fixture;

    CommitThenKillIT(DatabaseKind kind) {
        fixture = new NodesFixture(kind);
        fixture.endpoint("endpoint", "*");
    }

    @Test
    void commitWhenProcessDiesThenNextProcessDelivers() {
        assertThat(halting("commit")).isEqualTo(HaltingProcess.COMMITTED);

        assertThat(fixture.count("{deliveries}")).isEqualTo(1);
        fixture.node();
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        assertThat(fixture.receiver.answers())
                .containsOnlyKeys(fixture.deliveryIds("status = 'delivered'").toArray(String[]::new));
    }

    @Test
    void rollbackWhenProcessDiesThenNothingIsStoredOrSent() {
        assertThat(halting("rollback")).isEqualTo(HaltingProcess.ROLLED_BACK);

        assertThat(fixture.count("{events}")).isZero();
        assertThat(fixture.count("{deliveries}")).isZero();
        String later =
                fixture.dispatcher.enqueue("event", "{}").deliveries().get(0).deliveryId();
        fixture.node();
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        assertThat(fixture.receiver.answers()).containsOnlyKeys(later);
    }

    private int halting(String outcome) {
        return fixture.process(HaltingProcess.class, "outcome=" + outcome).awaitEnd();
    }
}
