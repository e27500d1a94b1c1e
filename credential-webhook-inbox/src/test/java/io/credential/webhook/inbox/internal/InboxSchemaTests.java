package io.credential.webhook.inbox.internal;

import io.credential.testing.SchemaContract;

class InboxSchemaTests extends SchemaContract {

    InboxSchemaTests() {
        super(JdbcWebhookInbox.SCHEMA);
    }
}
