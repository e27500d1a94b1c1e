package io.credential.apikey;

import io.credential.testing.TestDatabase;

/** Gives each test its own registry, with its own namespace, clock and audit trail. */
abstract class RegistryTestBase {

    final TestDatabase database;
    final RegistryFixture fixture;
    final ApiKeyRegistry registry;

    RegistryTestBase(TestDatabase database) {
        this.database = database;
        this.fixture = new RegistryFixture(database);
        this.registry = fixture.registry;
    }
}
