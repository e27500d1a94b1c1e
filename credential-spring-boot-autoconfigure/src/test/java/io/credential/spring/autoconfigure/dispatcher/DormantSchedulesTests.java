package io.credential.spring.autoconfigure.dispatcher;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The dispatcher's background work and the application's scheduling do not know of each other. */
class DormantSchedulesTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withPropertyValues("credential.webhook.dispatcher.enabled=true")
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withBean(Job.class);
    }

    @Test
    void applicationScheduleWhenNotEnabledThenStaysDormant() {
        runner().run(context -> {
            // Time enough for a schedule that had been woken: the dispatcher's own work has gone several rounds.
            for (int i = 0; i < 20; i++) {
                context.getBean(WebhookDispatcher.class).processRetries();
            }
            assertThat(context.getBean(Job.class).runs).hasValue(0);
            assertThat(context)
                    .doesNotHaveBean("org.springframework.context.annotation.internalScheduledAnnotationProcessor");
            Patience.untilAsserted(() ->
                    assertThat(LiveThreads.named("credential-webhook-loop")).hasSize(1));
        });
    }

    @Test
    void applicationScheduleWhenEnabledThenSeparateFromOurs() {
        runner().withUserConfiguration(Scheduling.class).run(context -> {
            Job job = context.getBean(Job.class);
            Patience.await(job.ran);
            assertThat(job.thread.get()).startsWith("scheduling-");
            assertThat(context.getBean(ThreadPoolTaskScheduler.class).getThreadNamePrefix())
                    .isEqualTo("scheduling-");
            Patience.untilAsserted(() ->
                    assertThat(LiveThreads.named("credential-webhook-loop")).hasSize(1));
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Job {

        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch ran = new CountDownLatch(1);
        final AtomicReference<String> thread = new AtomicReference<>("");

        @Scheduled(fixedDelay = 1)
        void run() {
            thread.set(Thread.currentThread().getName());
            runs.incrementAndGet();
            ran.countDown();
        }
    }
}
