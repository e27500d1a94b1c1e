package io.credential.ratelimit;

import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.testing.SchemaContract;

class RateLimitSchemaTests extends SchemaContract {

    RateLimitSchemaTests() {
        super(JdbcBucketStore.SCHEMA);
    }
}
