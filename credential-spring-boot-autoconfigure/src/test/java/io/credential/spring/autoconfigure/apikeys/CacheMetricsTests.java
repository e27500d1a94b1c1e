package io.credential.spring.autoconfigure.apikeys;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.internal.notification.NodeNotifications;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LocalNotifications;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** What the cache of accepted keys reports to Micrometer. */
class CacheMetricsTests {

    private static final String CLUSTER = "credential.mode=cluster";
    private static final String CACHE = "credential.api-keys.cache.enabled=true";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final LocalNotifications network = new LocalNotifications();

    @BeforeEach
    void createKeyring() {
        StarterRunner.on(database, directory).run(context -> assertThat(context).hasNotFailed());
    }

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    @Test
    void invalidationWhenFromAnotherNodeThenItsDelayIsTimed() {
        runner(CLUSTER, CACHE).run(context -> {
            Instant changed = Instant.now().minusMillis(40);
            network.node().publish("api-keys", "live/0123@" + changed.toEpochMilli());

            Timer delay = context.getBean(MeterRegistry.class)
                    .get("credential.api-keys.cache.invalidation.delay")
                    .timer();
            assertThat(delay.count()).isOne();
            assertThat(delay.totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(40);
            assertThat(delay.getId().getTags()).isEmpty();
        });
    }

    @Test
    void contextWhenNotCachedOrNotInClusterThenNoMetric() {
        for (String property : List.of(CLUSTER, CACHE)) {
            runner(property).run(context -> assertThat(ourMeters(context)).isEmpty());
        }
    }

    @Test
    void contextWhenMicrometerIsAbsentThenNoMetric() {
        runner(CLUSTER, CACHE)
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ApiKeyRegistries.class)
                        .doesNotHaveBean(CacheMetrics.class));
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
                .withBean(NodeNotifications.class, network::node)
                .withPropertyValues(properties);
    }

    private static List<String> ourMeters(ApplicationContext context) {
        return context.getBean(MeterRegistry.class).getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .filter(name -> name.startsWith("credential.api-keys.cache."))
                .toList();
    }
}
