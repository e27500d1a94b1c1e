package io.credential.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.benchmarks.cluster.Write.Kind;
import io.credential.benchmarks.node.DatabaseProxy;

import static org.assertj.core.api.Assertions.assertThat;

class FaultDatabaseTests {

    @Test
    void failOverWhenRepeatedThenKeepsCommittedWrites() throws IOException, InterruptedException {
        try (FaultDatabase database = FaultDatabase.start();
                DatabaseProxy proxy = database.newProxy()) {
            JdbcTemplate client = new JdbcTemplate(new DriverManagerDataSource(proxy.jdbcUrl()));
            client.update("insert into _credential_leases (name, holder, epoch, expires_at)"
                    + " values ('registry', 'node-1/x', 1, 0)");
            for (int failover = 0; failover < 2; failover++) {
                database.startReplica();
                client.update("update _credential_leases set epoch = epoch + 1");
                database.failOver(Duration.ZERO);
                client.update("update _credential_leases set epoch = epoch + 1");
            }

            assertThat(database.writes())
                    .allMatch(
                            write -> write.kind() == Kind.TERM && write.holder().equals("node-1"))
                    .extracting(Write::epoch)
                    .isEqualTo(List.of(1L, 2L, 3L, 4L, 5L));
        }
    }
}
