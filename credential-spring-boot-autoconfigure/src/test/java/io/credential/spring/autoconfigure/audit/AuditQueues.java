package io.credential.spring.autoconfigure.audit;

import org.springframework.beans.factory.BeanFactory;

import io.credential.spring.autoconfigure.audit.internal.AuditQueue;

/** Lets tests look at a sink that is called by way of the {@link AuditQueue}. */
public final class AuditQueues {

    private AuditQueues() {}

    /** Waits until every event so far has been recorded. */
    public static void drain(BeanFactory application) {
        AuditQueue queue = application.getBean(AuditQueue.class);
        queue.stop();
        queue.start();
    }
}
