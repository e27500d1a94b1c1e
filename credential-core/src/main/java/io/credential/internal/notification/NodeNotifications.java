package io.credential.internal.notification;

/**
 * Short messages between the nodes of an application. Messages of one topic can arrive late, more than once, in any
 * order, or not at all, and every user of the database can send some: a receiver may only look sooner at what it would
 * look at anyway, or drop what it has cached. Thread-safe.
 */
public interface NodeNotifications {

    /** Returns an instance for a single node: it sends nothing and receives nothing. */
    static NodeNotifications none() {
        return NoNotifications.INSTANCE;
    }

    /**
     * Sends a message to all other nodes, but not to this one. Call it after the commit. Returns at once: the message is
     * sent in the background, together with others, and again after a failure. Equal messages that wait are sent once. If
     * too many messages of a topic wait, the other nodes get {@link NotificationListener#missed()} in place of them.
     *
     * @param topic up to 63 lower-case letters and hyphens, beginning with a letter
     * @param text up to 200 visible ASCII characters, without spaces
     * @throws IllegalArgumentException if the topic or the text is invalid
     */
    void publish(String topic, String text);

    /**
     * Receives the messages of a topic until the subscription is closed. What was sent before is not received, and {@link
     * NotificationListener#missed()} not called for it.
     *
     * @throws IllegalArgumentException if the topic is invalid
     */
    Subscription subscribe(String topic, NotificationListener listener);

    /**
     * Returns whether messages of other nodes arrive. Turns true after {@link NotificationListener#missed()}, and false as
     * soon as the connection is known to be broken, or was not checked for ten seconds.
     */
    boolean isListening();

    /** Ends when it is closed. */
    interface Subscription extends AutoCloseable {

        /** Ends the subscription; a call of the listener that is running continues. */
        @Override
        void close();
    }
}
