package io.credential.spring.autoconfigure.audit.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;

import io.credential.audit.internal.AuditTrail;
import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.spring.autoconfigure.internal.CredentialPhases;

/**
 * Reports, every minute and at shutdown, rejections that were only counted. Otherwise a count would wait for the next
 * rejection. All reports share one thread, which starts with the first report. Thread-safe.
 */
@Lazy(false)
public final class RejectionCountReporter implements SmartLifecycle, DisposableBean {

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final Duration interval;
    private final List<Runnable> reports = new CopyOnWriteArrayList<>();
    private final OwnedSchedule schedule =
            new OwnedSchedule("credential-rejection-counts", STOP_DEADLINE, this::reportAll);
    private volatile boolean running;

    @Autowired
    public RejectionCountReporter() {
        this(AuditTrail.REJECTION_INTERVAL);
    }

    RejectionCountReporter(Duration interval) {
        this.interval = interval;
    }

    /**
     * Adds a report.
     *
     * @param report reports a count, if there is one; runs periodically while the context runs
     */
    public synchronized void add(Runnable report) {
        reports.add(report);
        startThread();
    }

    @Override
    public synchronized void start() {
        running = true;
        startThread();
    }

    private void startThread() {
        if (running && !reports.isEmpty()) {
            schedule.start(interval, interval);
        }
    }

    private void reportAll() {
        reports.forEach(Runnable::run);
    }

    @Override
    public synchronized void stop() {
        running = false;
        schedule.stop();
        reportAll();
    }

    /** Reports what was counted after {@link #stop}, or in a context that never started. */
    @Override
    public void destroy() {
        reportAll();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }
}
