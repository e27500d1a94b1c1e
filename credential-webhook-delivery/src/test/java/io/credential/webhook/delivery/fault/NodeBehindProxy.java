package io.credential.webhook.delivery.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.StallingProxy;
import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.delivery.NodesFixture;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** A node of this process that works in the background and reaches the database through its own proxy. */
final class NodeBehindProxy implements AutoCloseable {

    final StallingProxy proxy;
    final JdbcWebhookDispatcher dispatcher;
    private final HikariDataSource pool;

    NodeBehindProxy(NodesFixture fixture, String... options) {
        try {
            this.proxy = new StallingProxy(fixture.jdbcUrl());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.pool = DispatcherNode.pool(proxy.jdbcUrl());
        this.dispatcher = fixture.started(CredentialDatabase.of(pool), UnaryOperator.identity(), options);
    }

    @Override
    public void close() throws IOException {
        proxy.resume();
        dispatcher.close(Duration.ZERO);
        pool.close();
        proxy.close();
    }
}
