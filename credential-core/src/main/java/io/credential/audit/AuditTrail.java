package io.credential.audit;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.audit.AuditEvent.Outcome;

/**
 * Makes the audit events of one component and hands them to its sink, as far as the component's switches ask for them.
 * What the sink throws is counted and logged, and goes no further. Thread-safe.
 *
 * @since 0.1.0
 */
public final class AuditTrail {

    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

    private final AuditSink sink;
    private final Supplier<@Nullable String> actor;
    private final InstantSource clock;
    private final String resourceKind;
    private final boolean success;
    private final boolean failures;
    private final AtomicLong sinkFailures = new AtomicLong();

    /**
     * @param actor names who is acting on the calling thread, or gives null
     * @param resourceKind the kind of thing that the component works on
     * @param success whether successes are reported
     * @param failures whether failures are reported
     */
    public AuditTrail(
            AuditSink sink,
            Supplier<@Nullable String> actor,
            InstantSource clock,
            String resourceKind,
            boolean success,
            boolean failures) {
        this.sink = sink;
        this.actor = actor;
        this.clock = clock;
        this.resourceKind = resourceKind;
        this.success = success;
        this.failures = failures;
    }

    /**
     * A success to be reported later, when it has taken effect; actor and time are those of this call.
     */
    public Runnable success(String name, @Nullable String resourceId, Map<String, Object> attributes) {
        if (!success) {
            return () -> {};
        }
        AuditEvent event = made(name, Outcome.SUCCESS, null, resourceId, attributes);
        return () -> deliver(event);
    }

    /** Reports a failure at once. */
    public void failure(String name, String reason, @Nullable String resourceId, Map<String, Object> attributes) {
        if (failures) {
            deliver(made(name, Outcome.FAILURE, reason, resourceId, attributes));
        }
    }

    /** How many events the sink has refused by throwing. */
    public long sinkFailures() {
        return sinkFailures.get();
    }

    /** Null when the event could not be made: whoever is asked for the actor may fail as well as the sink. */
    private @Nullable AuditEvent made(
            String name,
            Outcome outcome,
            @Nullable String reason,
            @Nullable String resourceId,
            Map<String, Object> attributes) {
        try {
            return new AuditEvent(
                    name, outcome, reason, actor.get(), resourceKind, resourceId, clock.instant(), attributes);
        } catch (Throwable e) {
            lost(name, e);
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
            lost(event.name(), e);
        }
    }

    /** The operation is done, and must not seem to have failed for the sake of its report: all but the end of the VM is kept here. */
    private void lost(String name, Throwable cause) {
        if (cause instanceof VirtualMachineError end) {
            throw end;
        }
        long count = sinkFailures.incrementAndGet();
        LOG.warn("An audit event {} was lost, {} so far; the operation itself is done", name, count, cause);
    }
}
