/** The audit log in the database: chained, authenticated entries, and their verification. */
@NullMarked
package io.credential.auditlog;

import org.jspecify.annotations.NullMarked;
