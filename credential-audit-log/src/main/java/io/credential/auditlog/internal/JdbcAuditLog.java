package io.credential.auditlog.internal;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;

/**
 * The audit log in the table {@code _credential_audit_log}. The thread that writes starts with the first event.
 * Thread-safe.
 */
public final class JdbcAuditLog implements AuditLog, AutoCloseable {

    /** The table of the entries. */
    public static final SchemaScripts SCHEMA =
            SchemaScripts.ofAppendOnly("io/credential/auditlog/internal/migration", "_credential_audit_log");

    private final CredentialDatabase database;
    private final EntryStore store;
    private final EntrySearch search;
    private final RowMac macs;
    private final Function<Collection<String>, Map<String, Long>> versions;
    private final JdbcAuditSink sink;

    /**
     * @param database with its tables in place
     * @param keyring authenticates the entries
     * @param clock the time of the entries that begin and end a chain
     * @param random the source of the ids by which nodes tell their entries apart
     * @param onOverflow what happens to events while too many wait
     * @param verifications whether successful verifications of API keys and webhooks are stored, of which each request has
     *     one
     * @param versions returns the current versions of resources by id; without those that it does not know
     */
    public JdbcAuditLog(
            CredentialDatabase database,
            Keyring keyring,
            InstantSource clock,
            SecureRandom random,
            OverflowPolicy onOverflow,
            boolean verifications,
            Function<Collection<String>, Map<String, Long>> versions) {
        this.database = database;
        this.store = new EntryStore(database);
        this.macs = new RowMac(keyring);
        this.search = new EntrySearch(database, macs);
        this.versions = versions;
        this.sink = new JdbcAuditSink(
                new ChainWriter(store, macs, clock, new RandomHex(random)), onOverflow, verifications);
    }

    @Override
    public AuditSink sink() {
        return sink;
    }

    @Override
    public long lostEvents() {
        return sink.lostEvents();
    }

    /** Returns how many events of this node are not stored yet. */
    public int waitingEvents() {
        return sink.waitingEvents();
    }

    @Override
    public AuditVerification verify() {
        return verify(new AuditHead(List.of()));
    }

    @Override
    public AuditVerification verify(AuditHead exported) {
        Objects.requireNonNull(exported, "The exported head must not be null");
        if (database.isInTransaction()) {
            throw new IllegalStateException("Verify the audit log outside of a transaction");
        }
        return new LogVerification(store, macs, versions, exported).run();
    }

    @Override
    public AuditPage search(AuditQuery query) {
        Objects.requireNonNull(query, "The query must not be null");
        return search.search(query);
    }

    @Override
    public Optional<StoredAuditEvent> lastVerification() {
        return search.lastVerification();
    }

    /** Stores the events that wait, within five seconds, and ends the chain of this node. Later events are lost. */
    @Override
    public void close() {
        sink.close();
    }
}
