package io.credential.spring.autoconfigure.apikeys;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class IdleKeyJobTests {

    private static final String JOB = "credential.api-keys.idle";
    private static final String DISABLE_AFTER_IDLE = "credential.api-keys.registries.live.disable-after-idle=30d";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = MutableClock.atNewYear();

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    @Test
    void runWhenKeyIsIdleThenDisabled() {
        withIdleKey((context, id) -> {
            context.getBean(CredentialSchedule.class).getScheduledTasks().stream()
                    .map(task -> task.getTask().getRunnable())
                    .filter(job -> job.toString().equals(JOB))
                    .findFirst()
                    .orElseThrow()
                    .run();

            assertThat(isDisabled(context, id)).isTrue();
        });
    }

    @Test
    void contextWhenNoRegistryDisablesThenNoJob() {
        runner().run(context -> assertThat(
                        context.getBean(CredentialSchedule.class).getScheduledTasks())
                .isNotEmpty()
                .noneMatch(task -> task.getTask().getRunnable().toString().equals(JOB)));
    }

    @Test
    void runWhenNotLeaderThenDisablesNothing() {
        withIdleKey((context, id) -> {
            run(context, new Follower(), Duration.ZERO, key -> () -> {});

            assertThat(isDisabled(context, id)).isFalse();
        });
    }

    @Test
    void runWhenClockIsAheadThenDisablesNothing(CapturedOutput output) {
        withIdleKey((context, id) -> {
            run(context, Leadership.singleNode(), Duration.ofMinutes(10), key -> () -> {});

            assertThat(isDisabled(context, id)).isFalse();
            assertThat(output).contains("no keys are disabled as idle");
        });
    }

    @Test
    void runWhenListenerFailsThenWarnsAndKeyStays(CapturedOutput output) {
        withIdleKey((context, id) -> {
            run(context, Leadership.singleNode(), Duration.ZERO, key -> () -> {
                throw new IllegalStateException("the dispatcher is closed");
            });

            assertThat(isDisabled(context, id)).isFalse();
            assertThat(output).contains("Could not disable all idle API keys", "the dispatcher is closed");
        });
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withBean(MutableClock.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withPropertyValues(properties);
    }

    private void withIdleKey(BiConsumer<ApplicationContext, String> test) {
        runner(DISABLE_AFTER_IDLE).run(context -> {
            String id = context.getBean(ApiKeyRegistry.class)
                    .issue(IssueRequest.forOwner("user-42"))
                    .id();
            clock.advance(Duration.ofDays(31));
            test.accept(context, id);
        });
    }

    private static void run(
            ApplicationContext context, Leadership leadership, Duration ahead, IdleKeyListener listener) {
        new IdleKeyJob(context.getBean(JdbcApiKeyRegistries.class), leadership, new ClockCheck(() -> ahead), listener)
                .run();
    }

    private static boolean isDisabled(ApplicationContext context, String id) {
        return context.getBean(ApiKeyRegistry.class).getById(id).orElseThrow().disabledAt() != null;
    }

    private static final class Follower implements Leadership {

        @Override
        public OptionalLong epoch() {
            return OptionalLong.empty();
        }

        @Override
        public void requireLeader() {
            throw new AssertionError("nothing is changed");
        }
    }
}
