package io.credential.benchmarks.host;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class HostSmokeIT {

    private final Table table = new Table(System.out);

    @Test
    void httpWhenSmokeThenAllAnswer() throws Exception {
        HttpVerifyBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .hasSize(24)
                .allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    @Test
    void webhookWhenSmokeThenAllAnswer() throws Exception {
        WebhookVerifyBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .hasSize(1)
                .allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    @Test
    void scrapeWhenSmokeThenGaugeFollowsTheBacklog() throws Exception {
        ScrapeBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    @Test
    void costWhenSmokeThenStarterAddsLibraries() throws Exception {
        HostCostBenchmark.measure(Profile.SMOKE, table);

        assertThat(median("libraries, with the starter"))
                .isGreaterThan(median("libraries, with Spring Security alone"))
                .isGreaterThan(median("libraries, without the starter"));
        assertThat(median("seconds to start, with the starter")).isPositive();
    }

    private double median(String label) {
        return table.rows().stream()
                .filter(row -> row.label().endsWith(label))
                .mapToDouble(Row::median)
                .findFirst()
                .orElseThrow();
    }
}
