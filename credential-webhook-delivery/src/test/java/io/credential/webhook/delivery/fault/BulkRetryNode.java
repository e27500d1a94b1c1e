package io.credential.webhook.delivery.fault;

import java.io.IOException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** A node that continues bulk retries and attempts nothing. Arguments as of other nodes. */
final class BulkRetryNode {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private BulkRetryNode() {}

    public static void main(String[] arguments) throws IOException {
        try (HikariDataSource pool = DispatcherNode.pool(arguments[0]);
                JdbcWebhookDispatcher dispatcher = DispatcherNode.builder(CredentialDatabase.of(pool), arguments)
                        .build()) {
            OwnedSchedule jobs = new OwnedSchedule("jobs", Patience.LIMIT, dispatcher::continueJobs);
            jobs.start(Duration.ZERO, PAUSE);
            System.in.transferTo(System.out);
            jobs.stop();
        }
    }
}
