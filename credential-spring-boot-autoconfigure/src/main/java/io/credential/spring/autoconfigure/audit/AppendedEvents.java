package io.credential.spring.autoconfigure.audit;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditSink;

/**
 * Where events are appended to the audit log. Refers to no type of its library, which may be missing.
 *
 * @param sink null without an audit log
 */
record AppendedEvents(@Nullable AuditSink sink) {}
