package io.credential.audit.internal;

import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the events that a sink did not take. Thread-safe. */
final class LostEvents {

    private static final Logger LOG = LoggerFactory.getLogger(LostEvents.class);

    private final AtomicLong count = new AtomicLong();

    /** The operation is complete and must not appear to have failed because its report did. */
    void add(String name, Throwable cause) {
        long lost = count.incrementAndGet();
        LOG.warn("The audit event {} was lost, {} so far; the operation itself is complete", name, lost, cause);
    }
}
