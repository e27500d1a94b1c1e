package io.credential.benchmarks.rivals;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class RivalsSmokeTests {

    @Test
    void rivalsWhenSmokeThenAllSettleAllEvents() throws Exception {
        Table table = new Table(System.out);

        RivalsBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .extracting(Row::label)
                .contains(
                        "published and settled, answers after 0 ms: credential / db-scheduler",
                        "published and settled, answers after 20 ms: credential / transaction-outbox",
                        "stored and settled, answers after 100 ms: credential / namastack-outbox");
    }
}
