package io.credential.webhook.delivery;

import org.junit.jupiter.api.AutoClose;

import io.credential.testing.TestDatabase;

/** What tests of a dispatcher share: each of them has a node and a receiver of its own, closed at its end. */
public abstract class DispatcherTestBase {

    protected final TestDatabase test;

    @AutoClose
    protected final DispatcherFixture fixture;

    protected final WebhookDispatcher dispatcher;

    protected DispatcherTestBase(TestDatabase test) {
        this.test = test;
        this.fixture = new DispatcherFixture(test);
        this.dispatcher = fixture.dispatcher;
    }
}
