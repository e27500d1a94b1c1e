package io.credential.benchmarks.rivals;

/** What an application without a dispatcher writes to send an event. transaction-outbox stores the calls of its methods. */
interface Webhooks {

    /** Returns when the receiver has accepted the event; throws otherwise, so that the caller tries again. */
    void send(String id, String body);
}
