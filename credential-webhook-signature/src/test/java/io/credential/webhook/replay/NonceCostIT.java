package io.credential.webhook.replay;

import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.testing.DatabaseKind;
import io.credential.testing.PlanRecorder;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;

/** The cost of a cleaning depends on what it removes, not on how many nonces are remembered. */
class NonceCostIT {

    private static final int NONCES = 20_000;
    private static final Instant IN_A_CENTURY = Instant.parse("2126-01-01T00:00:00Z");

    /** A cleaning removes at most 250 nonces and touches about ten pages for each; all of them fill hundreds. */
    private static final int MAX_PAGES = 3000;

    private final PlanRecorder plans = PlanRecorder.open(DatabaseKind.POSTGRESQL);
    private final JdbcClient jdbc = JdbcClient.create(plans.database().dataSource());

    @BeforeEach
    void rememberNonces() {
        new SchemaMigrator(plans.database(), JdbcNonceStore.SCHEMA).run(SchemaMode.MIGRATE);
        jdbc.sql("ALTER TABLE _credential_nonces SET (autovacuum_enabled = off)")
                .update();
        insert("live", IN_A_CENTURY);
        jdbc.sql("ANALYZE").update();
    }

    @AfterEach
    void close() {
        plans.close();
    }

    @Test
    void cleaningWhenNothingExpiredThenReadsLittle() {
        assertThat(pagesOfCleaning()).isBetween(1, 20);
    }

    @Test
    void cleaningThenReadsLittleMoreThanItRemoves() {
        insert("expired", Instant.EPOCH);

        assertThat(pagesOfCleaning()).isBetween(1, MAX_PAGES);
        assertThat(jdbc.sql("SELECT count(*) FROM _credential_nonces WHERE nonce LIKE 'expired%'")
                        .query(Integer.class)
                        .single())
                .isEqualTo(NONCES - 250);
    }

    private int pagesOfCleaning() {
        plans.begin();
        assertThat(new JdbcNonceStore(plans.database()).checkAndInsert("first", IN_A_CENTURY))
                .isTrue();
        return plans.end().stream()
                .filter(plan -> plan.contains("DELETE FROM"))
                .mapToInt(PlanRecorder::pages)
                .sum();
    }

    private void insert(String prefix, Instant expiresAt) {
        jdbc.sql(
                        "INSERT INTO _credential_nonces (nonce, expires_at) SELECT :prefix || n, :expiresAt + n FROM generate_series(1, %d) n"
                                .formatted(NONCES))
                .param("prefix", prefix)
                .param("expiresAt", expiresAt.toEpochMilli())
                .update();
    }
}
