package io.credential.webhook.delivery;

import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;

import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;

/** Gives each test its own dispatcher and receiver, and closes them after the test. */
public abstract class DispatcherTestBase {

    protected final TestDatabase test;

    @AutoClose
    protected final DispatcherFixture fixture;

    @AutoClose
    protected final TestThreads threads = new TestThreads();

    protected final WebhookDispatcher dispatcher;

    protected DispatcherTestBase(TestDatabase test) {
        this(test, UnaryOperator.identity());
    }

    protected DispatcherTestBase(TestDatabase test, UnaryOperator<JdbcWebhookDispatcherBuilder> options) {
        this.test = test;
        this.fixture = new DispatcherFixture(test, options);
        this.dispatcher = fixture.dispatcher;
    }
}
