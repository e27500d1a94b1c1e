package io.credential.auditlog;

/**
 * What happens to an event while the queue of the audit log is full. Lost events are counted; the count is logged, and
 * stored as an entry.
 *
 * @since 0.1.0
 */
public enum OverflowPolicy {
    /** The calling thread waits for room, for at most a second. Then the event is lost. */
    WAIT,
    /** The event is lost at once. */
    DROP
}
