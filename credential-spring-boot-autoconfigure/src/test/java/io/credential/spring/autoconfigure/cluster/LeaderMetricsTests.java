package io.credential.spring.autoconfigure.cluster;

import java.nio.file.Path;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;

import io.micrometer.core.instrument.MeterRegistry;

import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderMetricsTests {

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void gaugeWhenThisNodeLeadsThenOne() {
        assertGauge(Leadership.singleNode(), 1);
    }

    @Test
    void gaugeWhenAnotherNodeLeadsThenZero() {
        assertGauge(new OtherLeads(), 0);
    }

    private void assertGauge(Leadership leadership, double expected) {
        StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
                .withBean(Leadership.class, () -> leadership)
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("credential.leader")
                                .gauge()
                                .value())
                        .isEqualTo(expected));
    }
}
