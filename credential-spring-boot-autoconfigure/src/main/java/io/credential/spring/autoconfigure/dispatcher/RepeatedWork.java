package io.credential.spring.autoconfigure.dispatcher;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs work that must be repeated even if it fails. Of consecutive failures, only the first is logged as an error. */
final class RepeatedWork implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RepeatedWork.class);

    private final String problem;
    private final Runnable work;
    private volatile boolean failing;

    /** @param problem what to log if it fails */
    RepeatedWork(String problem, Runnable work) {
        this.problem = problem;
        this.work = work;
    }

    @Override
    public void run() {
        try {
            work.run();
            failing = false;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(failing ? Level.DEBUG : Level.ERROR).setCause(e).log(problem);
            failing = true;
        }
    }
}
