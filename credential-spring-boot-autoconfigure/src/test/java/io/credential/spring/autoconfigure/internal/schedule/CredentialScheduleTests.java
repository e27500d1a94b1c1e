package io.credential.spring.autoconfigure.internal.schedule;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.scheduling.ScheduledTasksEndpointAutoConfiguration;
import org.springframework.boot.actuate.scheduling.ScheduledTasksEndpoint;
import org.springframework.boot.actuate.scheduling.ScheduledTasksEndpoint.FixedDelayTaskDescriptor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.Task;
import org.springframework.scheduling.config.TaskExecutionOutcome;

import ch.qos.logback.classic.Level;

import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.storage.internal.RepeatedWork;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Our periodic work in an application that schedules its own, or nothing. */
class CredentialScheduleTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String POLL = "credential.webhook.poll";
    private static final String JOBS = "credential.webhook.jobs";
    private static final String STATISTICS = "credential.webhook.statistics";
    private static final String RETENTION = "credential.webhook.retention";
    private static final String PURGE = "credential.api-keys.purge";
    private static final String TOTALS = "credential.api-keys.totals";
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final String THREADS = "credential-schedule-";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final CountingDispatcher dispatcher = new CountingDispatcher();

    @AfterEach
    void close() {
        database.close();
    }

    /** With our dispatcher and a registry. */
    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory).withPropertyValues(DISPATCHER + "enabled=true");
    }

    /** With a dispatcher of the application. */
    private ApplicationContextRunner counting() {
        return runner().withPropertyValues(DISPATCHER + "poll-interval=1ms")
                .withBean("counting", WebhookDispatcher.class, dispatcher::proxy);
    }

    private static List<String> tasks(ApplicationContext context) {
        return context.getBeansOfType(ScheduledTaskHolder.class).values().stream()
                .flatMap(holder -> holder.getScheduledTasks().stream())
                .map(task -> task.getTask().getRunnable().toString())
                .toList();
    }

    @Test
    void scheduledTasksThenListOurJobsWithTheirIntervals() {
        runner().withConfiguration(AutoConfigurations.of(
                        EndpointAutoConfiguration.class, ScheduledTasksEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=scheduledtasks",
                        DISPATCHER + "poll-interval=700ms",
                        "credential.api-keys.purge-interval=5m")
                .run(context -> assertThat(context.getBean(ScheduledTasksEndpoint.class)
                                .scheduledTasks()
                                .getFixedDelay())
                        .extracting(task -> (FixedDelayTaskDescriptor) task)
                        .extracting(
                                task -> task.getRunnable().getTarget(),
                                FixedDelayTaskDescriptor::getInitialDelay,
                                FixedDelayTaskDescriptor::getInterval)
                        .containsExactlyInAnyOrder(
                                tuple(POLL, 0L, 700L),
                                tuple(JOBS, 0L, Duration.ofSeconds(10).toMillis()),
                                tuple(
                                        STATISTICS,
                                        Duration.ofSeconds(5).toMillis(),
                                        Duration.ofSeconds(5).toMillis()),
                                tuple(RETENTION, HOUR, HOUR),
                                tuple(
                                        TOTALS,
                                        Duration.ofSeconds(10).toMillis(),
                                        Duration.ofMinutes(1).toMillis()),
                                tuple(
                                        PURGE,
                                        Duration.ofMinutes(1).toMillis(),
                                        Duration.ofMinutes(5).toMillis())));
    }

    @Test
    void jobsThenAreListedOnce() {
        runner().run(context ->
                assertThat(tasks(context)).containsExactlyInAnyOrder(POLL, JOBS, STATISTICS, RETENTION, PURGE, TOTALS));
    }

    @Test
    void scheduledMethodsWhenNotEnabledThenStayDormant() {
        AtomicInteger dormant = new AtomicInteger();
        counting().withBean(Counter.class, () -> new Counter(dormant)).run(context -> {
            dispatcher.awaitCalls(10);
            assertThat(dormant).hasValue(0);
            assertThat(tasks(context)).containsExactlyInAnyOrder(POLL, PURGE, TOTALS);
        });
    }

    @Test
    void schedulingWhenEnabledByApplicationThenIsSeparate() {
        AtomicInteger runs = new AtomicInteger();
        counting()
                .withBean(Counter.class, () -> new Counter(runs))
                .withUserConfiguration(Scheduling.class)
                .run(context -> {
                    dispatcher.awaitCalls(10);
                    Patience.until(() -> runs.get() >= 1);
                    assertThat(dispatcher.threads).allMatch(name -> name.startsWith(THREADS));
                    assertThat(tasks(context))
                            .hasSize(4)
                            .contains(POLL, PURGE, TOTALS)
                            .anyMatch(name -> name.endsWith("Counter.count"));
                    assertThat(context.getBean(Scheduling.class).configured).hasValue(1);
                    assertThat(context).hasSingleBean(TaskScheduler.class);
                });
    }

    @Test
    void schedulerWhenLazyInApplicationThenIsNotCreated() {
        counting().withUserConfiguration(LazyScheduler.class).run(context -> {
            dispatcher.awaitCalls(1);
            assertThat(context.getBeanFactory().containsSingleton("taskScheduler"))
                    .isFalse();
        });
    }

    @Test
    void taskHolderWhenApplicationSchedulesThenUnambiguous() {
        counting()
                .withUserConfiguration(Scheduling.class)
                .run(context -> assertThat(context.getBean(ScheduledTaskHolder.class))
                        .isNotInstanceOf(CredentialSchedule.class));
    }

    @Test
    void dispatchersWhenApplicationHasSeveralThenAllDriven() {
        CountingDispatcher second = new CountingDispatcher();
        counting()
                .withBean("second", WebhookDispatcher.class, second::proxy, definition -> definition.setLazyInit(true))
                .run(context -> {
                    dispatcher.awaitCalls(2);
                    second.awaitCalls(2);
                });
    }

    @Test
    void pollWhenEndpointsHangThenIsNotHeldUp() {
        AtomicInteger underWay = new AtomicInteger();
        TestDatabase ownDatabase = TestDatabase.create(DatabaseKind.SQLITE);
        JdbcWebhookDispatcher started = JdbcWebhookDispatcher.builder(
                        ownDatabase.database(), Keyring.generate(new SecureRandom()))
                .requestTimeout(Duration.ofHours(1))
                .claimReclaimAfter(Duration.ofHours(2))
                .transport(request -> {
                    underWay.incrementAndGet();
                    return new CompletableFuture<>();
                })
                .build();
        started.declareSchema();
        started.registerEndpoint(EndpointRegistration.of("hangs", "https://198.41.0.4/", "a secret of the test", "*"));
        started.start();
        try (JdbcWebhookDispatcher other = JdbcWebhookDispatcher.builder(
                        ownDatabase.database(), Keyring.generate(new SecureRandom()))
                .build()) {
            runner().withPropertyValues(DISPATCHER + "poll-interval=1ms")
                    .withBean(
                            "started",
                            JdbcWebhookDispatcher.class,
                            () -> started,
                            definition -> definition.setDestroyMethodName("")) // it would wait for the endpoint
                    .run(context -> {
                        for (int i = 1; i <= 5; i++) {
                            int attempts = i;
                            other.enqueue("event", "{}");
                            Patience.until(() -> underWay.get() == attempts);
                        }
                        Task poll = context.getBean(CredentialSchedule.class).getScheduledTasks().stream()
                                .map(ScheduledTask::getTask)
                                .filter(task -> task.getRunnable().toString().endsWith(POLL))
                                .findFirst()
                                .orElseThrow();
                        Patience.until(
                                () -> poll.getLastExecutionOutcome().status() == TaskExecutionOutcome.Status.SUCCESS);
                    });
        } finally {
            started.close(Duration.ZERO);
            ownDatabase.close();
        }
    }

    @Test
    void pollWhenDispatcherFailsThenCallsAgainAndLogsOnce() {
        dispatcher.failure.set(new IllegalStateException("away"));
        try (CapturedLog log = CapturedLog.of(RepeatedWork.class)) {
            counting().run(context -> dispatcher.awaitCalls(3));

            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("'counting'", "PT0.001S");
        }
    }

    @Test
    void jobsWhenBeansAreLazyThenStillRun() {
        counting()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    dispatcher.awaitCalls(1);
                    assertThat(tasks(context)).containsExactlyInAnyOrder(POLL, PURGE, TOTALS);
                });
    }

    @Test
    void jobsWhenContextStopsThenStopUntilItStarts() {
        counting().run(context -> {
            dispatcher.awaitCalls(1);
            context.stop();
            LiveThreads.awaitNone(THREADS);
            assertThat(tasks(context)).isEmpty();
            context.start();
            dispatcher.awaitCalls(1);
            assertThat(tasks(context)).containsExactlyInAnyOrder(POLL, PURGE, TOTALS);
        });
    }

    @Test
    void closeThenNoJobRunsAnyMore() {
        counting().run(context -> {
            dispatcher.awaitCalls(1);
            context.close();
            int calls = dispatcher.threads.size();
            LiveThreads.awaitNone(THREADS);
            assertThat(dispatcher.threads).hasSize(calls);
        });
    }

    @Test
    void dispatcherWhenDisabledThenIsNotDriven() {
        counting()
                .withPropertyValues(StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(tasks(context)).containsExactlyInAnyOrder(PURGE, TOTALS));
        assertThat(dispatcher.threads).isEmpty();
    }

    @Test
    void scheduleWhenThereIsNoFeatureThenNoBeanAndNoThread() {
        LiveThreads.awaitNone(THREADS);
        StarterRunner.bare().run(context -> {
            assertThat(context).doesNotHaveBean(CredentialSchedule.class);
            assertThat(LiveThreads.named(THREADS)).isEmpty();
        });
    }

    @Test
    void stopWhenAJobRunsThenWaitsForIt() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean finished = new AtomicBoolean();
        CredentialSchedule schedule = new CredentialSchedule();
        schedule.add("job", Duration.ZERO, Duration.ofHours(1), () -> {
            inside.countDown();
            Patience.await(go);
            finished.set(true);
        });
        schedule.start();
        Patience.await(inside);
        AtomicReference<Boolean> finishedAtStop = new AtomicReference<>();
        Thread stopping = new Thread(() -> {
            schedule.stop();
            finishedAtStop.set(finished.get());
        });
        stopping.start();
        Patience.until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        Patience.join(stopping);
        assertThat(finishedAtStop).hasValue(true);
        assertThat(schedule.isRunning()).isFalse();
    }

    @Test
    void jobWhenAnotherRunsThenIsNotHeldUp() {
        CountDownLatch both = new CountDownLatch(2);
        Runnable meet = () -> {
            both.countDown();
            Patience.await(both);
        };
        CredentialSchedule schedule = new CredentialSchedule();
        schedule.add("first", Duration.ZERO, Duration.ofHours(1), meet);
        schedule.add("second", Duration.ZERO, Duration.ofHours(1), meet);

        schedule.start();

        Patience.await(both);
        schedule.stop();
    }

    record Counter(AtomicInteger runs) {

        @Scheduled(fixedDelay = 1)
        void count() {
            runs.incrementAndGet();
        }
    }

    @EnableScheduling
    @Configuration(proxyBeanMethods = false)
    static class Scheduling {

        final AtomicInteger configured = new AtomicInteger();

        @Bean
        SchedulingConfigurer configurer() {
            return registrar -> configured.incrementAndGet();
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyScheduler {

        @Bean
        @Lazy
        TaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }
    }
}
