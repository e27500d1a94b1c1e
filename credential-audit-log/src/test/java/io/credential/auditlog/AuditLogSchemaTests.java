package io.credential.auditlog;

import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.testing.SchemaContract;

class AuditLogSchemaTests extends SchemaContract {

    AuditLogSchemaTests() {
        super(JdbcAuditLog.SCHEMA);
    }
}
