package io.credential.storage.internal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.DatabaseFault;

/**
 * Runs work that is repeated even if it fails. Of consecutive failures, only the first is logged above {@code DEBUG}: as a
 * warning if the database failed, else as an error.
 */
public final class RepeatedWork implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RepeatedWork.class);

    private final String problem;
    private final Runnable work;
    private volatile boolean failing;

    /** @param problem what to log if the work fails */
    public RepeatedWork(String problem, Runnable work) {
        this.problem = problem;
        this.work = work;
    }

    @Override
    public void run() {
        try {
            work.run();
            failing = false;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(failing ? Level.DEBUG : level(e)).setCause(e).log("{} ({})", problem, DatabaseFault.explain(e));
            failing = true;
        }
    }

    private static Level level(Throwable failure) {
        return failure instanceof DataAccessException || failure instanceof TransactionException
                ? Level.WARN
                : Level.ERROR;
    }
}
