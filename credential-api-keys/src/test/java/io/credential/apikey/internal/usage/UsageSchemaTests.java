package io.credential.apikey.internal.usage;

import io.credential.testing.SchemaContract;

class UsageSchemaTests extends SchemaContract {

    UsageSchemaTests() {
        super(JdbcUsageStore.SCHEMA);
    }
}
