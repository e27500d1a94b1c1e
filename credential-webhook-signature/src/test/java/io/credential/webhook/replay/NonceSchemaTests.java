package io.credential.webhook.replay;

import io.credential.testing.SchemaContract;
import io.credential.webhook.replay.internal.JdbcNonceStore;

class NonceSchemaTests extends SchemaContract {

    NonceSchemaTests() {
        super(JdbcNonceStore.SCHEMA);
    }
}
