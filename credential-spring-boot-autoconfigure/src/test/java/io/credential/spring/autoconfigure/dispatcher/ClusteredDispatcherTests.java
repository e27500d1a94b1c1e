package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The dispatcher needs no leader. */
class ClusteredDispatcherTests {

    @TempDir
    private Path directory;

    @Test
    void dispatcherWhenClusteredThenWorksOnEveryNode() throws IOException {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
                Receiver receiver = new Receiver()) {
            ApplicationContextRunner single = StarterRunner.on(database, directory)
                    .withPropertyValues(
                            "credential.webhook.dispatcher.enabled=true",
                            "credential.webhook.dispatcher.allow-internal-destinations=true",
                            "credential.webhook.dispatcher.dispatch-wait=1m");
            // Makes the keyring, which no node of a cluster does.
            single.run(context -> assertThat(context).hasNotFailed());
            ApplicationContextRunner node =
                    single.withPropertyValues("credential.mode=cluster", "credential.cluster.lease-duration=5m");
            node.run(leader -> node.run(follower -> {
                Patience.until(leader.getBean(Leadership.class)::isLeader);
                assertThat(follower.getBean(Leadership.class).isLeader()).isFalse();
                WebhookDispatcher dispatcher = follower.getBean(WebhookDispatcher.class);
                dispatcher.registerEndpoint(
                        EndpointRegistration.of("shop", receiver.url(), "secret of the tests", "*"));

                assertThat(dispatcher.dispatch("order.created", "{}").delivered())
                        .isEqualTo(1);
                assertThat(leader.getBean(WebhookDispatcher.class)
                                .dispatch("order.created", "{}")
                                .delivered())
                        .isEqualTo(1);
                dispatcher.enqueue("order.created", "{}");
                Patience.until(() -> receiver.received().size() >= 3);
            }));
        }
    }
}
