package io.credential.auditlog.internal;

/**
 * What happens to an event while the queue of the audit log is full. Lost events are counted; the count is logged, and
 * stored as an entry.
 */
public enum OverflowPolicy {
    /** The calling thread waits for room, for at most a second. Then the event is lost. */
    WAIT,
    /** The event is lost at once. */
    DROP
}
