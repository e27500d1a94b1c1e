package io.credential.internal.notification;

/**
 * Receives the messages of a topic. Its methods are called by one thread, which they must not keep: no database, no lock
 * that is held for long. What they throw is logged.
 */
public interface NotificationListener {

    /** Called with each message of another node. */
    void received(String text);

    /**
     * Called when messages may have been lost: when the connection is established, for the first time or again, and when
     * another node had more to send than it could keep. Assume that every possible message was sent.
     */
    void missed();
}
