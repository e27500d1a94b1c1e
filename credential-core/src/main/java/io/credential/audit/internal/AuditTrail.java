package io.credential.audit.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.audit.AuditSink;

/**
 * Creates the audit events of one component and passes those that are enabled to its sink. Exceptions of the sink are
 * counted and logged, but not rethrown. Failures that a caller can cause without being authenticated are passed to
 * {@link #rejection}, so that they never fill a log: the first one of a reason is reported immediately, those of the
 * next minute as one count. Thread-safe.
 */
public final class AuditTrail {

    /** How long further rejections of a reason are only counted. */
    public static final Duration REJECTION_INTERVAL = Duration.ofMinutes(1);

    private final AuditSink sink;
    private final AuditCaller caller;
    private final InstantSource clock;
    private final Rejections rejections = new Rejections(REJECTION_INTERVAL);
    private final String resourceKind;
    private final boolean success;
    private final boolean failures;
    private final LostEvents lost = new LostEvents();

    /**
     * @param sink called on the thread that did the work
     * @param caller names who is acting on the calling thread
     * @param resourceKind the kind of thing that the component works on
     * @param success whether successes are reported
     * @param failures whether failures are reported
     */
    public AuditTrail(
            AuditSink sink,
            AuditCaller caller,
            InstantSource clock,
            String resourceKind,
            boolean success,
            boolean failures) {
        this.sink = sink;
        this.caller = caller;
        this.clock = clock;
        this.resourceKind = resourceKind;
        this.success = success && sink != NoAuditSink.INSTANCE;
        this.failures = failures && sink != NoAuditSink.INSTANCE;
    }

    /** Returns the report of a success, to be run after it takes effect; actor and time are those of this call. */
    public Runnable successReport(String name, @Nullable String resourceId, Map<String, Object> attributes) {
        return successReport(name, resourceId, () -> attributes);
    }

    /** Returns the report of a success like the method above; the attributes are created only if successes are reported. */
    public Runnable successReport(String name, @Nullable String resourceId, Supplier<Map<String, Object>> attributes) {
        reportRejections();
        if (!success) {
            return () -> {};
        }
        AuditEvent event = made(caller, name, Outcome.SUCCESS, null, resourceId, attributes.get());
        return () -> deliver(event);
    }

    /**
     * Reports a failure immediately. For failures that callers can cause without being authenticated, use {@link
     * #rejection}.
     */
    public void failure(String name, String reason, @Nullable String resourceId, Map<String, Object> attributes) {
        if (failures) {
            deliver(made(caller, name, Outcome.FAILURE, reason, resourceId, attributes));
        }
    }

    /**
     * Reports a failure that a caller can cause without being authenticated, immediately or as part of a count. A count
     * has the attribute {@code count}, {@code ids} with up to ten resource ids, and the attributes that all its
     * failures have in common.
     *
     * @param reason a stable word; 64 of them are distinguished, the others are reported as {@code other}
     */
    public void rejection(String name, String reason, @Nullable String resourceId, Map<String, Object> attributes) {
        if (!failures) {
            return;
        }
        Rejections.Report report = rejections.note(name, reason, resourceId, attributes, clock.instant());
        if (report != null) {
            deliver(report);
        }
        reportRejections();
    }

    /** Reports the counts of rejections whose interval has ended; cheap if there are none. */
    public void reportRejections() {
        if (rejections.isPending()) {
            rejections.due(clock.instant()).forEach(this::deliver);
        }
    }

    /** Reports all counts of rejections, even if their interval has not ended. */
    public void reportAllRejections() {
        rejections.all(clock.instant()).forEach(this::deliver);
    }

    /** A count has no actor: the one on this thread caused at most one of its rejections. */
    private void deliver(Rejections.Report report) {
        deliver(made(
                report.count() ? () -> null : caller,
                report.name(),
                Outcome.FAILURE,
                report.reason(),
                report.resourceId(),
                report.attributes()));
    }

    /** Returns null when the event could not be created: looking up the actor may fail too. */
    private @Nullable AuditEvent made(
            AuditCaller caller,
            String name,
            Outcome outcome,
            @Nullable String reason,
            @Nullable String resourceId,
            Map<String, Object> attributes) {
        try {
            return new AuditEvent(
                    name,
                    outcome,
                    reason,
                    caller.get(),
                    resourceKind,
                    resourceId,
                    clock.instant(),
                    attributes,
                    caller.origin());
        } catch (Throwable e) {
            lost.add(name, e);
            return null;
        }
    }

    private void deliver(@Nullable AuditEvent event) {
        if (event == null) {
            return;
        }
        try {
            sink.record(event);
        } catch (Throwable e) {
            lost.add(event.name(), e);
        }
    }
}
