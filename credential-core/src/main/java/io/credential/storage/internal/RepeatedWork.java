package io.credential.storage.internal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.DatabaseFault;

/**
 * Runs work that is repeated even if it fails. Of consecutive failures, only the first of its kind is logged above {@code
 * DEBUG}: a warning if the database failed, an error otherwise.
 */
public final class RepeatedWork implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RepeatedWork.class);

    private final String problem;
    private final Runnable work;

    /** The most severe since the work last succeeded. */
    private volatile @Nullable Level logged;

    /** @param problem what to log if the work fails */
    public RepeatedWork(String problem, Runnable work) {
        this.problem = problem;
        this.work = work;
    }

    @Override
    public void run() {
        try {
            work.run();
            logged = null;
        } catch (RuntimeException | Error e) {
            Level before = logged;
            Level level = level(e);
            boolean isNews = before == null || level.toInt() > before.toInt();
            LOG.atLevel(isNews ? level : Level.DEBUG).setCause(e).log("{} ({})", problem, DatabaseFault.explain(e));
            logged = isNews ? level : before;
        }
    }

    private static Level level(Throwable failure) {
        return failure instanceof DataAccessException || failure instanceof TransactionException
                ? Level.WARN
                : Level.ERROR;
    }
}
