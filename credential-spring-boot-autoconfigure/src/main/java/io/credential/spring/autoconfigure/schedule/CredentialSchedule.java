package io.credential.spring.autoconfigure.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import io.credential.spring.autoconfigure.CredentialPhases;

import static java.util.Objects.requireNonNull;

/**
 * Runs the {@link Scheduled} methods of the starter's jobs while the context runs, on its own threads. A job is not a
 * bean, and the post processor is neither a bean nor given the bean factory: scheduled methods of the application stay
 * inactive without {@code @EnableScheduling}, those of the starter do not run twice with it, and neither uses the
 * scheduler of the other. As a {@link ScheduledTaskHolder}, it lists the jobs for Actuator; it is a fallback, so that
 * injecting the application's holder remains unambiguous. Without jobs, it starts no threads. Thread-safe.
 *
 * @since 0.1.0
 */
@Lazy(false)
@Fallback
public final class CredentialSchedule implements SmartLifecycle, ScheduledTaskHolder {

    private static final Duration MAX_FIRST_DELAY = Duration.ofMinutes(1);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final List<Object> jobs = new ArrayList<>();
    private final Map<String, String> delays = new HashMap<>();
    private @Nullable ThreadPoolTaskScheduler scheduler;
    private volatile @Nullable ScheduledAnnotationBeanPostProcessor processor;
    private volatile boolean running;

    /**
     * Adds a job; if the context runs, it is scheduled at once.
     *
     * @param job has {@link Scheduled} methods; must not be a bean
     * @param delays the values of the placeholders in its annotations, by name; {@code <name>.first} is the same, but at most
     *     a minute
     */
    public synchronized void add(Object job, Map<String, Duration> delays) {
        delays.forEach((name, delay) -> {
            this.delays.put("${" + name + "}", delay.toString());
            this.delays.put("${" + name + ".first}", firstDelay(delay).toString());
        });
        jobs.add(job);
        if (running) {
            schedule(job);
        }
    }

    /** So that a job also runs on nodes that are restarted more often than it is repeated. */
    private static Duration firstDelay(Duration interval) {
        return interval.compareTo(MAX_FIRST_DELAY) < 0 ? interval : MAX_FIRST_DELAY;
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            jobs.forEach(this::schedule);
        }
    }

    private void schedule(Object job) {
        ThreadPoolTaskScheduler threads = scheduler;
        if (threads == null) {
            threads = newScheduler();
            scheduler = threads;
            processor = newProcessor(threads);
        }
        ScheduledAnnotationBeanPostProcessor scheduling = requireNonNull(processor);
        scheduling.postProcessAfterInitialization(job, job.getClass().getName());
        threads.setPoolSize(scheduling.getScheduledTasks().size()); // no method of a job waits for another
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

    private ScheduledAnnotationBeanPostProcessor newProcessor(ThreadPoolTaskScheduler threads) {
        ScheduledAnnotationBeanPostProcessor created = new ScheduledAnnotationBeanPostProcessor();
        created.setScheduler(threads);
        created.setEmbeddedValueResolver(text -> delays.getOrDefault(text, text));
        created.afterSingletonsInstantiated();
        return created;
    }

    /** Waits for running jobs; after the deadline, they are interrupted. */
    @Override
    public synchronized void stop() {
        running = false;
        ScheduledAnnotationBeanPostProcessor stopping = processor;
        ThreadPoolTaskScheduler threads = scheduler;
        processor = null;
        scheduler = null;
        if (stopping != null && threads != null) {
            ScheduledExecutorService executor = threads.getScheduledExecutor();
            stopping.destroy();
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
        ScheduledAnnotationBeanPostProcessor scheduling = processor;
        return scheduling == null ? Set.of() : scheduling.getScheduledTasks();
    }
}
