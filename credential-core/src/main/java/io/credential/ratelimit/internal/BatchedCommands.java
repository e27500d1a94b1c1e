package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.bucket4j.distributed.proxy.CommandExecutor;
import io.github.bucket4j.distributed.remote.CommandResult;
import io.github.bucket4j.distributed.remote.MultiResult;
import io.github.bucket4j.distributed.remote.RemoteCommand;
import io.github.bucket4j.distributed.remote.commands.MultiCommand;

/**
 * Sends the commands for one bucket that arrive while the store is asked as one. In contrast to Bucket4j's batching,
 * callers wait for a limited time, and after a failure they fail at once, for a second. Thread-safe.
 */
final class BatchedCommands implements CommandExecutor {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final CommandExecutor store;
    private final InstantSource clock;
    private final Duration maxWait;

    /** Fair, so that callers whose answer has arrived do not wait for later batches. */
    private final ReentrantLock access = new ReentrantLock(true);

    private Batch next = new Batch();
    private volatile @Nullable Instant failed;

    /** @param maxWait how long a caller waits for the answer to another one */
    BatchedCommands(CommandExecutor store, InstantSource clock, Duration maxWait) {
        this.store = store;
        this.clock = clock;
        this.maxWait = maxWait;
    }

    @Override
    @SuppressWarnings("unchecked") // results have the order of their commands
    public <T> CommandResult<T> execute(RemoteCommand<T> command) {
        requireAvailable();
        Batch batch;
        int index;
        synchronized (this) {
            batch = next;
            index = batch.commands.size();
            batch.commands.add(command);
        }
        lock();
        try {
            if (batch.results == null) {
                batch.results = send(close(batch));
            }
            return (CommandResult<T>) batch.results.get(index);
        } finally {
            access.unlock();
        }
    }

    private void requireAvailable() {
        Instant since = failed;
        if (since != null) {
            Duration elapsed = Duration.between(since, clock.instant());
            if (!elapsed.isNegative() && elapsed.compareTo(PAUSE) < 0) {
                throw new IllegalStateException("The store failed less than a second ago");
            }
        }
    }

    private void lock() {
        try {
            if (!access.tryLock(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                failed = clock.instant();
                throw new IllegalStateException("The store did not answer another request for " + maxWait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the store", e);
        }
    }

    private synchronized List<RemoteCommand<?>> close(Batch batch) {
        if (next == batch) {
            next = new Batch();
        }
        return batch.commands;
    }

    private List<? extends CommandResult<?>> send(List<RemoteCommand<?>> commands) {
        requireAvailable();
        try {
            if (commands.size() == 1) {
                return List.of(store.execute(commands.get(0)));
            }
            MultiCommand together = MultiCommand.merge(commands);
            CommandResult<MultiResult> result = store.execute(together);
            return together.unwrap(result);
        } catch (RuntimeException e) {
            failed = clock.instant();
            throw e;
        }
    }

    /** Its commands are added under the monitor until it is closed; its results are guarded by the lock. */
    private static final class Batch {

        private final List<RemoteCommand<?>> commands = new ArrayList<>();
        private @Nullable List<? extends CommandResult<?>> results;
    }
}
