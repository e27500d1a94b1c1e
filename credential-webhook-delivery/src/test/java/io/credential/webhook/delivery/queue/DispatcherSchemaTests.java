package io.credential.webhook.delivery.queue;

import io.credential.storage.SqlDialect;
import io.credential.testing.SchemaContract;
import io.credential.webhook.delivery.DispatcherRows;

class DispatcherSchemaTests extends SchemaContract {

    DispatcherSchemaTests() {
        super(DispatcherRows.DEFAULT_TABLES.scripts(SqlDialect.POSTGRESQL));
    }
}
