package io.credential.spring.operations.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditOrigin;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.internal.concurrent.DaemonThreads;
import io.credential.storage.DatabaseFault;
import io.credential.storage.internal.JsonText;

/**
 * Shows and verifies the audit log. A verification runs in the background, one at a time on this node, and is itself audited
 * as {@code audit.verify}, so that all nodes see the last one, also after a restart. Thread-safe.
 */
public final class AuditOperations implements AutoCloseable {

    /** The name of the thread that verifies. */
    public static final String THREAD = "credential-audit-verification";

    private static final Logger LOG = LoggerFactory.getLogger(AuditOperations.class);

    private static final String VERIFY = "audit.verify";

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private static final String ENTRIES = "entries";
    private static final String FINDINGS = "findings";

    private final AuditLog log;
    private final AuditSink sink;
    private final AuditCaller caller;
    private final InstantSource clock;
    private final ExecutorService thread = DaemonThreads.single(THREAD, new ArrayBlockingQueue<>(1));
    private final AtomicReference<@Nullable Verification> latest = new AtomicReference<>();

    /**
     * @param sink receives {@code audit.verify}; it must also append to the log for others to see it
     * @param caller names who starts a verification
     */
    public AuditOperations(AuditLog log, AuditSink sink, AuditCaller caller, InstantSource clock) {
        this.log = log;
        this.sink = sink;
        this.caller = caller;
        this.clock = clock;
    }

    /**
     * A verification of this node.
     *
     * @param startedBy the actor; null if unknown
     * @param finishedAt null while it runs
     * @param failure {@code unavailable} if the database failed, {@code cancelled} if this node is being stopped, or {@code
     *     error}; the log tells why. Null otherwise
     */
    public record Verification(
            Instant startedAt,
            @Nullable String startedBy,
            @Nullable Instant finishedAt,
            @Nullable String failure) {

        public boolean isRunning() {
            return finishedAt == null;
        }
    }

    /**
     * The last verification that is in the log, of any node.
     *
     * @param event its entry; only if it is authentic, the numbers are present
     * @param entries how many entries were verified; null if the verification failed
     * @param findings how many findings it had; null if the verification failed
     */
    public record StoredVerification(
            StoredAuditEvent event,
            @Nullable Long entries,
            @Nullable Long findings) {}

    /** Returns one page of entries, as {@link AuditLog#search} does. */
    public AuditPage search(AuditQuery query) {
        return log.search(query);
    }

    /** Returns the verification that runs on this node, or the last one since it started; empty if there was none. */
    public Optional<Verification> latest() {
        return Optional.ofNullable(latest.get());
    }

    /** Returns the last verification of any node that is in the log. */
    public Optional<StoredVerification> lastStored() {
        return log.lastVerification().map(AuditOperations::stored);
    }

    private static StoredVerification stored(StoredAuditEvent event) {
        Map<String, Object> attributes =
                event.authenticity() == Authenticity.AUTHENTIC ? JsonText.readObject(event.attributes()) : Map.of();
        return new StoredVerification(event, number(attributes, ENTRIES), number(attributes, FINDINGS));
    }

    private static @Nullable Long number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.longValue() : null;
    }

    /**
     * Starts a verification of the entire log, which may take minutes.
     *
     * @return false if one is running on this node
     * @throws IllegalStateException if this is closed, or the thread cannot be created
     */
    public boolean verifyNow() {
        Verification before = latest.get();
        Verification started = new Verification(clock.instant(), caller.get(), null, null);
        if ((before != null && before.isRunning()) || !latest.compareAndSet(before, started)) {
            return false;
        }
        AuditTrail trail = trail(started.startedBy(), caller.origin());
        try {
            thread.execute(() -> verify(started, trail));
        } catch (RejectedExecutionException e) {
            latest.set(before);
            throw new IllegalStateException("The audit log cannot be verified now: this node is being stopped", e);
        }
        return true;
    }

    /** Reports what another thread does for this caller. */
    private AuditTrail trail(@Nullable String actor, AuditOrigin origin) {
        AuditCaller starter = new AuditCaller() {

            @Override
            public @Nullable String get() {
                return actor;
            }

            @Override
            public AuditOrigin origin() {
                return origin;
            }
        };
        return new AuditTrail(sink, starter, clock, "audit-log", true, true);
    }

    private void verify(Verification started, AuditTrail trail) {
        String failure = "error";
        try {
            AuditVerification result = log.verify();
            failure = null;
            report(result, trail);
        } catch (CancellationException e) {
            LOG.info("The verification of the audit log was cancelled, because this node is being stopped");
            failure = "cancelled";
            trail.failure(VERIFY, "cancelled", null, Map.of());
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("The audit log could not be verified ({}); verify it again", DatabaseFault.explain(e), e);
            failure = "unavailable";
            trail.failure(VERIFY, "unavailable", null, Map.of());
        } catch (RuntimeException e) {
            LOG.error("The audit log could not be verified", e);
            trail.failure(VERIFY, "error", null, Map.of());
        } finally {
            latest.set(new Verification(started.startedAt(), started.startedBy(), clock.instant(), failure));
        }
    }

    private static void report(AuditVerification result, AuditTrail trail) {
        Map<String, Object> numbers =
                Map.of(ENTRIES, result.entries(), FINDINGS, result.findings().size());
        if (result.isIntact()) {
            trail.successReport(VERIFY, null, numbers).run();
        } else {
            trail.failure(VERIFY, "integrity", null, numbers);
        }
    }

    /** Interrupts a running verification, and waits up to five seconds for its end. */
    @Override
    public void close() {
        DaemonThreads.close(thread, Duration.ZERO);
        DaemonThreads.close(thread, CLOSE);
    }
}
