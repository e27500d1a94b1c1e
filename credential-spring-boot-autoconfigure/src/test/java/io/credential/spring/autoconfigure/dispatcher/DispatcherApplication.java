package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

/** An application with a dispatcher, its database, and a receiver of its webhooks. */
final class DispatcherApplication implements AutoCloseable {

    static final String SECRET = "a secret of the tests, long enough";

    final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    final Receiver receiver = new Receiver();

    private final Path directory;

    /** With its keyring in this directory. */
    DispatcherApplication(Path directory) throws IOException {
        this.directory = directory;
    }

    ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withPropertyValues(
                        "credential.webhook.dispatcher.enabled=true",
                        "credential.webhook.dispatcher.allowed-cidrs=127.0.0.1",
                        "credential.webhook.dispatcher.dispatch-wait=1m");
    }

    /** Registers the receiver for {@code order.created}. */
    void register(WebhookDispatcher dispatcher) {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", receiver.url(), SECRET, "order.created"));
    }

    List<String> tables() {
        return JdbcClient.create(database.dataSource())
                .sql("select name from sqlite_master where type = 'table'")
                .query((row, number) -> row.getString(1))
                .list();
    }

    @Override
    public void close() {
        receiver.close();
        database.close();
    }
}
