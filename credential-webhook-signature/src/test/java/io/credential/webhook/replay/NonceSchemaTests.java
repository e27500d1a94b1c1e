package io.credential.webhook.replay;

import io.credential.testing.SchemaContract;

class NonceSchemaTests extends SchemaContract {

    NonceSchemaTests() {
        super(JdbcNonceStore.SCHEMA);
    }
}
