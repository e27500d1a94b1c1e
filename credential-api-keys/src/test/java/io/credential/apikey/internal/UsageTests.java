package io.credential.apikey.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.apikey.internal.usage.RejectionCause;
import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The clock of each fixture starts on New Year's Day. */
@BothDatabases
class UsageTests {

    private static final LocalDate TODAY = LocalDate.parse("2026-01-01");

    private final CredentialDatabase database;
    private final RegistryFixture fixture;
    private final IssuedApiKey issued;

    UsageTests(TestDatabase database) {
        this.database = database.migrate(JdbcApiKeyRegistries.SCHEMA.and(JdbcUsageStore.SCHEMA));
        this.fixture = counting();
        this.issued = fixture.issue();
    }

    private RegistryFixture counting() {
        return RegistryFixture.with(
                database, Keyring.generate(RegistryFixture.RANDOM), builder -> builder.countUsage(true));
    }

    @Test
    void verifyThenCountedOnItsDayByTheNextRound() {
        fixture.registry.verify(issued.key());
        fixture.registry.verify(issued.key());
        assertThat(usage(TODAY, TODAY)).as("not written yet").isEmpty();

        fixture.registries.runBackgroundWorkOnce();

        assertThat(usage(TODAY, TODAY)).containsExactly(new ApiKeyUsage(TODAY, 2, 0, 0, 0, 0));
    }

    @Test
    void redeemThenCountedAsARequest() {
        ApiKey key = fixture.registry.getById(issued.id()).orElseThrow();
        fixture.registry.redeem(
                fixture.registry.ticket(key, Duration.ofSeconds(30)).value());
        fixture.registries.runBackgroundWorkOnce();

        assertThat(usage(TODAY, TODAY)).containsExactly(new ApiKeyUsage(TODAY, 1, 0, 0, 0, 0));
    }

    @Test
    void verifyWhenRejectedThenNotCounted() {
        fixture.registry.verify(issued.key().substring(0, issued.key().length() - 1) + "x");
        fixture.registry.verify("bk_" + fixture.namespace + "_" + issued.id() + "_" + "00".repeat(16));
        fixture.registries.runBackgroundWorkOnce();

        assertThat(usage(TODAY, TODAY)).isEmpty();
    }

    @Test
    void rejectedThenCountedByItsCause() {
        UsageRecorder recorder = fixture.registries.usage();
        rejected(recorder, RejectionCause.RATE, 1);
        rejected(recorder, RejectionCause.SCOPE, 2);
        rejected(recorder, RejectionCause.NETWORK, 3);
        rejected(recorder, RejectionCause.QUOTA, 4);
        fixture.registries.flushUsage();

        assertThat(usage(TODAY, TODAY)).containsExactly(new ApiKeyUsage(TODAY, 0, 1, 2, 3, 4));
    }

    private void rejected(UsageRecorder recorder, RejectionCause cause, int times) {
        for (int time = 0; time < times; time++) {
            recorder.rejected(fixture.namespace, issued.id(), cause);
        }
    }

    @Test
    void verifyWhenMidnightPassesThenEachDayIsCounted() {
        fixture.clock.set(Instant.parse("2026-01-01T23:59:59.999Z"));
        fixture.registry.verify(issued.key());
        fixture.clock.advance(Duration.ofMillis(1));
        fixture.registry.verify(issued.key());
        fixture.registry.verify(issued.key());
        fixture.registries.runBackgroundWorkOnce();
        fixture.registries.runBackgroundWorkOnce();

        assertThat(usage(TODAY, TODAY.plusDays(1)))
                .containsExactly(
                        new ApiKeyUsage(TODAY, 1, 0, 0, 0, 0), new ApiKeyUsage(TODAY.plusDays(1), 2, 0, 0, 0, 0));
        assertThat(usage(TODAY.plusDays(1), TODAY.plusDays(1))).hasSize(1);
    }

    @Test
    void usageWhenIdIsUnknownThenEmptyAndNotAudited() {
        fixture.audit.clear();

        assertThat(fixture.registry.usage("no\u0000id", TODAY, TODAY)).isEmpty();
        assertThat(fixture.registry.usage("0123456789abcdef", TODAY, TODAY)).isEmpty();

        assertThat(fixture.audit).hasSize(2).allSatisfy(event -> {
            assertThat(event.name()).isEqualTo("apikey.usage");
            assertThat(event.resourceId()).isNull();
        });
    }

    @Test
    void usageWhenRangeIsInvalidThenRefused() {
        assertThat(usage(TODAY.minusDays(34), TODAY)).isEmpty();

        for (LocalDate from : new LocalDate[] {TODAY.minusDays(35), TODAY.plusDays(1), LocalDate.MIN, null}) {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> usage(from, TODAY))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
        }
    }

    @Test
    void usageWhenNotCountedThenRefused() {
        RegistryFixture other = RegistryFixture.with(database, Keyring.generate(RegistryFixture.RANDOM));
        IssuedApiKey key = other.issue();
        other.registry.verify(key.key());
        other.registries.flushUsage();

        assertThat(other.registries.usage()).isSameAs(UsageRecorder.NONE);
        assertThatThrownBy(() -> other.registry.usage(key.id(), TODAY, TODAY))
                .isInstanceOf(ApiKeyException.class)
                .hasMessageContaining("credential.api-keys.usage.enabled");
    }

    /** The counts of every node are added to the same rows, while each of them writes. */
    @Test
    void roundWhenThreeNodesCountThenSumIsExact() {
        List<IssuedApiKey> keys = List.of(issued, fixture.issue(), fixture.issue());
        List<RegistryFixture> nodes = Stream.generate(() ->
                        fixture.reopened(fixture.keyring, options -> options, builder -> builder.countUsage(true)))
                .limit(3)
                .toList();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (RegistryFixture node : nodes) {
            tasks.add(() -> verifyAll(node, keys, 60));
            tasks.add(() -> verifyAll(node, keys, 60));
        }

        InParallel.run(tasks);
        nodes.forEach(node -> node.registries.close());

        assertThat(keys)
                .allSatisfy(key -> assertThat(fixture.registry.usage(key.id(), TODAY, TODAY))
                        .containsExactly(new ApiKeyUsage(TODAY, 6 * 60, 0, 0, 0, 0)));
    }

    private static boolean verifyAll(RegistryFixture node, List<IssuedApiKey> keys, int rounds) {
        for (int round = 1; round <= rounds; round++) {
            keys.forEach(key -> assertThat(node.registry.verify(key.key())).isPresent());
            if (round % 5 == 0) {
                node.registries.runBackgroundWorkOnce();
            }
        }
        return true;
    }

    @Test
    void closeThenAllAndLaterCountsAreWritten() {
        List<IssuedApiKey> keys = new ArrayList<>(List.of(issued));
        for (int i = 0; i < 6; i++) {
            keys.add(fixture.issue());
        }
        fixture.registries.start();
        keys.forEach(key -> fixture.registry.verify(key.key()));

        fixture.registries.close();
        assertThat(keys)
                .allSatisfy(key -> assertThat(fixture.registry.usage(key.id(), TODAY, TODAY))
                        .hasSize(1));

        fixture.registry.verify(issued.key());
        assertThat(usage(TODAY, TODAY)).containsExactly(new ApiKeyUsage(TODAY, 2, 0, 0, 0, 0));

        fixture.registries.start();
        fixture.registry.verify(issued.key());
        assertThat(usage(TODAY, TODAY)).as("collected again").containsExactly(new ApiKeyUsage(TODAY, 2, 0, 0, 0, 0));
        fixture.registries.close();
        assertThat(usage(TODAY, TODAY)).containsExactly(new ApiKeyUsage(TODAY, 3, 0, 0, 0, 0));
    }

    @Test
    void purgeExpiredThenUsageIsKeptFor35Days() {
        fixture.registry.verify(issued.key());
        fixture.registries.flushUsage();
        RegistryFixture other = counting();
        IssuedApiKey ofOther = other.issue();
        other.registry.verify(ofOther.key());
        other.registries.flushUsage();

        fixture.clock.advance(Duration.ofDays(34));
        assertThat(fixture.registry.purgeExpired()).isZero();
        assertThat(usage(TODAY, TODAY)).hasSize(1);

        fixture.clock.advance(Duration.ofDays(1));
        assertThat(fixture.registry.purgeExpired()).isZero();
        assertThat(usage(TODAY, TODAY)).isEmpty();
        assertThat(other.registry.usage(ofOther.id(), TODAY, TODAY)).hasSize(1);
    }

    @Test
    void purgeExpiredWhenManyDaysAndKeysThenAllAreRemoved() {
        fixture.jdbc()
                .sql("""
                        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
                        INSERT INTO _credential_api_key_usage (namespace, id, day, requests, rejected_by_rate,
                            rejected_by_scope, rejected_by_network, rejected_by_quota)
                        SELECT :namespace, 'key-' || (i / 2), :today - i % 2, 1, 0, 0, 0, 0 FROM n""")
                .param("namespace", fixture.namespace)
                .param("today", (int) TODAY.toEpochDay())
                .update();
        fixture.clock.advance(Duration.ofDays(34));

        fixture.registry.purgeExpired();
        assertThat(rows()).as("of the first day only").isEqualTo(1500);

        fixture.clock.advance(Duration.ofDays(1));
        fixture.registry.purgeExpired();
        assertThat(rows()).isZero();
    }

    @Test
    void purgeExpiredWhenKeyIsRemovedThenItsUsageIsToo() {
        RegistryFixture purging = fixture.reopened(
                fixture.keyring,
                options -> options.withPurgeAfter(Duration.ofDays(1)),
                builder -> builder.countUsage(true));
        IssuedApiKey kept = purging.issue();
        purging.registry.verify(issued.key());
        purging.registry.verify(kept.key());
        purging.registries.flushUsage();
        purging.registries.flushUsage();
        purging.registry.revoke(issued.id());
        purging.clock.advance(Duration.ofDays(1).plusMillis(1));

        assertThat(purging.registry.purgeExpired()).isEqualTo(1);

        assertThat(usage(TODAY, TODAY)).isEmpty();
        assertThat(purging.registry.usage(kept.id(), TODAY, TODAY)).hasSize(1);
    }

    private int rows() {
        return fixture.jdbc()
                .sql("select count(*) from _credential_api_key_usage where namespace = :namespace")
                .param("namespace", fixture.namespace)
                .query(Integer.class)
                .single();
    }

    private List<ApiKeyUsage> usage(LocalDate from, LocalDate to) {
        return fixture.registry.usage(issued.id(), from, to);
    }
}
