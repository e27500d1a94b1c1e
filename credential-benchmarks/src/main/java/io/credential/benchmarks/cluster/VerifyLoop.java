package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.cluster.NodeClient.Answer;
import io.credential.benchmarks.node.NodeProcess;

/** Verifies one key on one node, one call after another, on its own thread until it is closed. */
final class VerifyLoop implements Closeable {

    /** More than one, since the first answers may be given while the node still starts to listen. */
    private static final int CACHED_ANSWERS = 10;

    private static final long CACHED_LIMIT_MILLIS = 120_000;

    private final String node;
    private final NodeClient client;
    private final CallLog log;
    private final Key key;
    private final Duration pause;
    private final Thread thread = new Thread(this::run, "verify-loop");
    private boolean closing;
    private int cachedAnswers;
    private @Nullable String failure;

    /** @param pause between calls */
    VerifyLoop(NodeProcess.Running node, NodeClient client, CallLog log, Key key, Duration pause) {
        this.node = node.name();
        this.client = client;
        this.log = log;
        this.key = key;
        this.pause = pause;
    }

    VerifyLoop start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** Waits until enough calls in a row were answered from the cache of the node. */
    synchronized void awaitCached() throws InterruptedException {
        long end = log.now() + CACHED_LIMIT_MILLIS * 1_000_000;
        while (cachedAnswers < CACHED_ANSWERS && failure == null && log.now() < end) {
            wait(CACHED_LIMIT_MILLIS);
        }
        if (cachedAnswers < CACHED_ANSWERS) {
            throw new IllegalStateException("Node " + node + " does not cache the key; " + failure);
        }
    }

    private void run() {
        while (!isClosing()) {
            Optional<Answer> answer = client.call(Operation.VERIFY, key);
            if (answer.isEmpty()
                    || !(answer.get().is(Outcome.YES) || answer.get().is(Outcome.NO))) {
                fail("the last answer is " + answer);
                return;
            }
            answered(answer.get().cached());
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private synchronized void answered(boolean cached) {
        cachedAnswers = cached ? cachedAnswers + 1 : 0;
        if (cachedAnswers == CACHED_ANSWERS) {
            notifyAll();
        }
    }

    private synchronized void fail(String cause) {
        failure = cause;
        notifyAll();
    }

    /** Ends the loop, and returns its calls. */
    List<Call> end() throws InterruptedException {
        close();
        thread.join();
        synchronized (this) {
            if (failure != null) {
                throw new IllegalStateException("Node " + node + " did not answer: " + failure);
            }
        }
        return log.since(0).stream()
                .filter(call ->
                        call.operation() == Operation.VERIFY && call.node().equals(node))
                .toList();
    }

    /** Lets the loop end after the call that it makes. */
    @Override
    public synchronized void close() {
        closing = true;
    }
}
