package io.credential.spring.autoconfigure.internal.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

import io.credential.spring.autoconfigure.internal.CredentialPhases;

/**
 * Runs the starter's jobs while the context runs, on its own threads. The registrar and the scheduler are not beans:
 * scheduled methods of the application stay inactive without {@code @EnableScheduling}, and neither side uses the
 * scheduler of the other. As a {@link ScheduledTaskHolder}, it lists the jobs for Actuator; it is a fallback, so that
 * injecting the application's holder remains unambiguous. Without jobs, it starts no threads. Thread-safe.
 */
@Lazy(false)
@Fallback
public final class CredentialSchedule implements SmartLifecycle, ScheduledTaskHolder {

    private static final Duration MAX_FIRST_DELAY = Duration.ofMinutes(1);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final List<FixedDelayTask> jobs = new ArrayList<>();
    private final Set<ScheduledTask> tasks = new CopyOnWriteArraySet<>();
    private @Nullable ThreadPoolTaskScheduler scheduler;
    private volatile boolean running;
    private volatile boolean disabled;

    /**
     * Adds a job whose first run is after the interval, but at most after a minute, so that it also runs on nodes that
     * are restarted more often than it is repeated. If the context runs, it is scheduled at once.
     *
     * @param name is shown by Actuator
     * @param interval between the end of a run and the next one
     */
    public void add(String name, Duration interval, Runnable work) {
        add(name, interval.compareTo(MAX_FIRST_DELAY) < 0 ? interval : MAX_FIRST_DELAY, interval, work);
    }

    /** Adds a job with this delay before its first run. */
    public synchronized void add(String name, Duration firstDelay, Duration interval, Runnable work) {
        FixedDelayTask job = new FixedDelayTask(new Job(name, work), interval, firstDelay);
        jobs.add(job);
        if (running) {
            schedule(job);
        }
    }

    /** Keeps the jobs from running when the context starts, for commands that only need the beans. */
    public void disable() {
        disabled = true;
    }

    @Override
    public boolean isAutoStartup() {
        return !disabled;
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            jobs.forEach(this::schedule);
        }
    }

    private void schedule(FixedDelayTask job) {
        ThreadPoolTaskScheduler threads = scheduler;
        if (threads == null) {
            threads = newScheduler();
            scheduler = threads;
        }
        threads.setPoolSize(tasks.size() + 1); // no job waits for another
        ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
        registrar.setTaskScheduler(threads);
        ScheduledTask task = registrar.scheduleFixedDelayTask(job);
        if (task != null) {
            tasks.add(task);
        }
    }

    private static ThreadPoolTaskScheduler newScheduler() {
        ThreadPoolTaskScheduler threads = new ThreadPoolTaskScheduler();
        threads.setThreadNamePrefix("credential-schedule-");
        threads.setDaemon(true);
        threads.setWaitForTasksToCompleteOnShutdown(true);
        threads.setAwaitTerminationMillis(STOP_DEADLINE.toMillis());
        threads.initialize();
        return threads;
    }

    /** Waits for running jobs; after the deadline, they are interrupted. */
    @Override
    public synchronized void stop() {
        running = false;
        ThreadPoolTaskScheduler threads = scheduler;
        scheduler = null;
        if (threads != null) {
            ScheduledExecutorService executor = threads.getScheduledExecutor();
            tasks.forEach(task -> task.cancel(false));
            tasks.clear();
            threads.shutdown();
            executor.shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }

    @Override
    public Set<ScheduledTask> getScheduledTasks() {
        return Set.copyOf(tasks);
    }

    private record Job(String name, Runnable work) implements Runnable {

        @Override
        public void run() {
            work.run();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
