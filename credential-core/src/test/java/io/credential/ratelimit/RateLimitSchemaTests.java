package io.credential.ratelimit;

import io.credential.testing.SchemaContract;

class RateLimitSchemaTests extends SchemaContract {

    RateLimitSchemaTests() {
        super(JdbcBucketStore.SCHEMA);
    }
}
