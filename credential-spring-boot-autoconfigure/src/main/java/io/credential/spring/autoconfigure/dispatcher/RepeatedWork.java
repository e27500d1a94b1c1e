package io.credential.spring.autoconfigure.dispatcher;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Work that is repeated also if it fails. Of several failures in a row, only the first is an error in the log. */
final class RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RepeatedWork.class);

    private final String problem;
    private final Runnable work;
    private volatile boolean failing;

    /** @param problem what to log if it fails */
    RepeatedWork(String problem, Runnable work) {
        this.problem = problem;
        this.work = work;
    }

    void run() {
        try {
            work.run();
            failing = false;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(failing ? Level.DEBUG : Level.ERROR).setCause(e).log(problem);
            failing = true;
        }
    }
}
