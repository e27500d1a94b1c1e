package io.credential.benchmarks.rivals;

/**
 * One way to send webhooks from transactions. It sends nothing before {@link #resume()}, and between {@link #pause()} and the
 * next {@link #resume()}.
 */
interface Contender extends AutoCloseable {

    String name();

    /** Inserts a row of the application and publishes events in one transaction. Thread-safe. */
    void publish(int events);

    /** Whether nothing is stored that waits to be sent or to be settled. */
    boolean settled();

    void resume();

    /** Events that are published from now on are only stored. */
    void pause();

    @Override
    void close();
}
