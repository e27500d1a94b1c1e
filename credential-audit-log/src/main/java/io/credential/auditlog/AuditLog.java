package io.credential.auditlog;

import java.util.Optional;

import io.credential.audit.AuditSink;

/**
 * The audit log in the database. Every node appends entries to one of a few chains. Without the keyring, nobody can
 * change, insert, move or remove an entry in a chain unnoticed. That a chain ends too early shows only against a head
 * that was exported before, and kept elsewhere. Thread-safe.
 *
 * @since 0.1.0
 */
public interface AuditLog {

    /** Returns the sink that appends to the log. It returns before the event is stored, and never throws. */
    AuditSink sink();

    /** Returns how many events this node could not store, since it started. */
    long lostEvents();

    /**
     * Returns one page of entries of all chains, the newest first. Each row is verified, and returned even if it is not
     * authentic; whether rows were removed shows only {@link #verify()}. On SQLite, rows whose numbers have another type are
     * left out: no writer stores them, and verification finds them. A page examines at most 5,000 entries.
     *
     * @throws IllegalArgumentException if the cursor is malformed
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    AuditPage search(AuditQuery query);

    /**
     * Returns the last stored event {@code audit.verify}, of any node, which reports a verification that an operator has
     * started; empty if there is none.
     *
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    Optional<StoredAuditEvent> lastVerification();

    /**
     * Verifies all entries that are stored when this is called, and the versions of the changed resources. Reads the
     * entire log in pages, while others append to it. Is not audited itself.
     *
     * @throws IllegalStateException in a transaction, which would last for minutes
     * @throws java.util.concurrent.CancellationException if the thread is interrupted
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    AuditVerification verify();

    /**
     * Verifies the log like {@link #verify()}, and that it contains everything up to a head.
     *
     * @param exported a head of the same log that was kept where nobody could change it; losses before it are not reported
     *     again
     * @throws IllegalStateException in a transaction, which would last for minutes
     * @throws java.util.concurrent.CancellationException if the thread is interrupted
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    AuditVerification verify(AuditHead exported);
}
