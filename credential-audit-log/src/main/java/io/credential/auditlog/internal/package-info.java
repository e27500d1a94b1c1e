/** Implements the audit log: the chain of entries, and its verification. */
@NullMarked
package io.credential.auditlog.internal;

import org.jspecify.annotations.NullMarked;
