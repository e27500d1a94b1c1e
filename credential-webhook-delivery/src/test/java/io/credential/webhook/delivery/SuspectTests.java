package io.credential.webhook.delivery;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Deliveries that were under way when nodes died, one of which may be the cause. */
@BothDatabases
class SuspectTests extends DispatcherTestBase {

    SuspectTests(TestDatabase test) {
        super(test);
    }

    @Test
    void suspectsWhenTakenOverTwiceThenRunOneAtATime() {
        fixture.receiver.hanging("/hang");
        fixture.endpoint("other", "/other", "other");
        List<String> suspects = List.of(suspect("a", 2), suspect("b", 2), suspect("c", 2));
        JdbcWebhookDispatcher node = fixture.node(DispatcherFixture::patient);

        node.start();

        fixture.await(() -> fixture.receiver.hooks("/hang").size() == 1);
        node.enqueue("other", "{}");
        fixture.await(() -> fixture.receiver.hooks("/other").size() == 1);
        assertThat(suspects.stream().filter(id -> fixture.delivery(id).status() == DeliveryStatus.IN_FLIGHT))
                .as("the others are not even reserved")
                .hasSize(1);
        assertThat(suspects)
                .allSatisfy(id -> assertThat(fixture.delivery(id).attempts())
                        .as("not counted while they wait")
                        .isEqualTo(1));
    }

    @Test
    void suspectsWhenTakenOverOnceThenRunLikeOthers() {
        fixture.receiver.hanging("/hang");
        suspect("a", 1);
        suspect("b", 1);
        JdbcWebhookDispatcher node = fixture.node(DispatcherFixture::patient);

        node.start();

        fixture.await(() -> fixture.receiver.hooks("/hang").size() == 2);
    }

    @Test
    void suspectWhenItHasAnOutcomeThenIsCleared() {
        fixture.endpoint("a", "/a");
        String id = fixture.rows.delivery("a", DeliveryStatus.PENDING);
        fixture.rows.change(id, "takeovers = 2");

        assertThat(fixture.dispatcher.processRetries().delivered()).isEqualTo(1);

        assertThat(fixture.rows.stored(id, "takeovers")).isEqualTo("0");
    }

    private String suspect(String endpointId, int takeovers) {
        fixture.endpoint(endpointId, "/hang", "suspect");
        String id = fixture.rows.delivery(endpointId, DeliveryStatus.PENDING);
        fixture.rows.change(id, "takeovers = " + takeovers);
        return id;
    }
}
