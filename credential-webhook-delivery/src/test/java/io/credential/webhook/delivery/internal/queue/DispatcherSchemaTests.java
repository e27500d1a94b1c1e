package io.credential.webhook.delivery.internal.queue;

import io.credential.storage.internal.SqlDialect;
import io.credential.testing.SchemaContract;
import io.credential.webhook.delivery.DispatcherRows;

class DispatcherSchemaTests extends SchemaContract {

    DispatcherSchemaTests() {
        super(DispatcherRows.DEFAULT_TABLES.scripts(SqlDialect.POSTGRESQL));
    }
}
