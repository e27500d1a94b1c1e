package io.credential.apikey.internal;

import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.testing.BothDatabases;
import io.credential.testing.ChildProcess;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** A node is really killed: only the database then tells what was counted. */
@BothDatabases
class KilledUsageIT {

    private static final int MEGABYTES = 64;
    private static final int NODES = 3;
    private static final int WRITTEN = 40;
    private static final int LATER = 25;

    private final TestDatabase database;
    private final RegistryFixture fixture;

    KilledUsageIT(TestDatabase database) {
        this.database = database;
        this.fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA.and(JdbcUsageStore.SCHEMA)),
                UsageNode.keyring(),
                builder -> builder.countUsage(true).clock(InstantSource.system()));
    }

    @Test
    void usageWhenANodeIsKilledThenItsLastCountsAreLost() {
        IssuedApiKey key = fixture.issue();
        LocalDate before = LocalDate.now(ZoneOffset.UTC);

        List<ChildProcess> nodes =
                IntStream.range(0, NODES).mapToObj(node -> start(key, node > 0)).toList();
        List<Integer> exits = nodes.stream().map(KilledUsageIT::awaitEnd).toList();

        assertThat(exits).containsExactly(UsageNode.GONE, 0, 0);
        assertThat(fixture.registry.usage(key.id(), before, before.plusDays(1)).stream()
                        .mapToLong(ApiKeyUsage::requests)
                        .sum())
                .isEqualTo(NODES * (WRITTEN + LATER) - LATER);
    }

    private ChildProcess start(IssuedApiKey key, boolean stops) {
        return ChildProcess.start(
                MEGABYTES,
                UsageNode.class,
                database.jdbcUrl(),
                fixture.namespace,
                key.key(),
                Integer.toString(WRITTEN),
                Integer.toString(LATER),
                Boolean.toString(stops));
    }

    private static int awaitEnd(ChildProcess node) {
        try (node) {
            int exit = node.awaitEnd();
            assertThat(exit).as(node.text()).isIn(0, UsageNode.GONE);
            return exit;
        }
    }
}
