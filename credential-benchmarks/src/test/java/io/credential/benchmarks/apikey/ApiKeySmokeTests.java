package io.credential.benchmarks.apikey;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class ApiKeySmokeTests {

    private final Table table = new Table(System.out);

    @Test
    void verifyWhenSmokeThenBothDatabasesAreMeasured() throws Exception {
        VerifyBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows()).extracting(Row::label).anyMatch(row -> row.startsWith("verify, PostgreSQL"));
        assertThat(table.rows()).extracting(Row::label).anyMatch(row -> row.startsWith("verify, SQLite"));
    }

    @Test
    void auditLogWhenSmokeThenNothingIsFoundOrLost() throws Exception {
        AuditLogBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .filteredOn(row -> row.label().endsWith("findings in the log")
                        || row.label().endsWith("events lost"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.highest()).isZero());
    }
}
