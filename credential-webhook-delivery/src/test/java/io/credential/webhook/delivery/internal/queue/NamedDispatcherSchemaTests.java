package io.credential.webhook.delivery.internal.queue;

import io.credential.storage.internal.SqlDialect;
import io.credential.testing.SchemaContract;

/** Quoted and unquoted names differ in PostgreSQL. */
class NamedDispatcherSchemaTests extends SchemaContract {

    NamedDispatcherSchemaTests() {
        super(DispatcherTables.named("Shop_endpoints", "Shop_deliveries").scripts(SqlDialect.POSTGRESQL));
    }
}
