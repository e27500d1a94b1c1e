package io.credential.auditlog.internal;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

/** An empty audit log. */
public final class LogFixture {

    static final SecureRandom RANDOM = new SecureRandom();

    private static final SecretBytes FIRST = SecretBytes.random(32, RANDOM);
    private static final SecretBytes SECOND = SecretBytes.random(32, RANDOM);
    private static final SecretBytes INDEX = SecretBytes.random(32, RANDOM);

    /** A keyring, a later one with a new active key, and one from which the first key was removed. */
    static final Keyring KEYRING = Keyring.of("k1", Map.of("k1", FIRST), INDEX);

    static final Keyring ROTATED = Keyring.of("k2", Map.of("k1", FIRST, "k2", SECOND), INDEX);
    static final Keyring RETIRED = Keyring.of("k2", Map.of("k2", SECOND), INDEX);

    /** What somebody without the keyring can make up; the second one trusts the keyring, and so follows its entries. */
    static final Keyring FORGED = Keyring.of("other", Map.of("other", SECOND), INDEX);

    static final Keyring FORGED_ON_TRUSTED = Keyring.of("other", Map.of("k1", FIRST, "other", SECOND), INDEX);

    final MutableClock clock = MutableClock.atNewYear();
    final CredentialDatabase database;

    public LogFixture(TestDatabase test) {
        this.database = test.migrate(JdbcAuditLog.SCHEMA);
        change("DROP INDEX IF EXISTS once");
        change("DROP INDEX IF EXISTS forbidden");
        change("DELETE FROM _credential_audit_log");
    }

    /** A node that has not written yet. */
    ChainWriter node() {
        return node(KEYRING);
    }

    ChainWriter node(Keyring keyring) {
        return new ChainWriter(new EntryStore(database), new RowMac(keyring), clock, new RandomHex(RANDOM));
    }

    /** Stores an opening entry and so many others in a chain, and returns its writer. */
    public ChainWriter written(int events) {
        ChainWriter node = node();
        node.append(events(events));
        return node;
    }

    JdbcAuditLog log() {
        return log(KEYRING, ids -> Map.of());
    }

    JdbcAuditLog log(Keyring keyring, Function<Collection<String>, Map<String, Long>> versions) {
        return new JdbcAuditLog(database, keyring, clock, RANDOM, OverflowPolicy.WAIT, true, versions);
    }

    public AuditVerification verify() {
        return log().verify();
    }

    public List<StoredAuditEvent> found() {
        return log().search(AuditQuery.all()).entries();
    }

    static List<AuditEvent> events(int count) {
        return IntStream.range(0, count).mapToObj(LogFixture::event).toList();
    }

    static AuditEvent event(int number) {
        return new AuditEvent(
                "apikey.get",
                AuditEvent.Outcome.FAILURE,
                "not-found",
                "admin",
                "api-key",
                "id-" + number,
                MutableClock.atNewYear().instant(),
                Map.of("number", number),
                new AuditOrigin("192.0.2.1", "curl/8", "4bf92f35"));
    }

    /** Runs a statement as somebody without the keyring; returns how many rows it has changed. */
    public int change(String sql) {
        return database.jdbc().sql(sql).update();
    }

    /** Inserts a row that is not authentic; the numbers are in SQL. */
    public void insertForged(Object chain, Object seq) {
        change("""
                INSERT INTO _credential_audit_log (chain, seq, recorded_at, name, outcome, resource_kind, attributes, digest, mac)
                VALUES (%s, %s, 0, 'audit.close', 'success', 'audit-log', '{}', 'x', 'm1.k1.00')""".formatted(chain, seq));
    }

    long count() {
        return database.jdbc()
                .sql("SELECT count(*) FROM _credential_audit_log")
                .query(Long.class)
                .single();
    }

    /** The names of the entries, in the order of chains and entries. */
    List<String> names() {
        return database.jdbc()
                .sql("SELECT chain || ' ' || name FROM _credential_audit_log ORDER BY chain, seq")
                .query((row, index) -> row.getString(1))
                .list();
    }
}
