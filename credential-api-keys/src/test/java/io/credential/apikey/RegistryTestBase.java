package io.credential.apikey;

import io.credential.testing.TestDatabase;

/** Gives each test its own registry, with its own namespace, clock and audit trail. */
public abstract class RegistryTestBase {

    public final TestDatabase database;
    public final RegistryFixture fixture;
    public final ApiKeyRegistry registry;

    public RegistryTestBase(TestDatabase database) {
        this.database = database;
        this.fixture = new RegistryFixture(database);
        this.registry = fixture.registry;
    }
}
