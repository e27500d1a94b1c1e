package io.credential.apikey;

import io.credential.testing.TestDatabase;

/** What tests of a registry share: each of them has a namespace, a clock and an audit trail of its own. */
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
