package io.credential.webhook.delivery;

import org.junit.jupiter.api.AutoClose;

import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;

/** Gives each test its own dispatcher and receiver, and closes them after the test. */
public abstract class DispatcherTestBase {

    protected final TestDatabase test;

    @AutoClose
    protected final DispatcherFixture fixture;

    @AutoClose
    protected final TestThreads threads = new TestThreads();

    protected final WebhookDispatcher dispatcher;

    protected DispatcherTestBase(TestDatabase test) {
        this.test = test;
        this.fixture = new DispatcherFixture(test);
        this.dispatcher = fixture.dispatcher;
    }
}
