package io.credential.apikey.internal.totals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The totals of keys are those that reading every key gives. */
@BothDatabases
class TotalsTests {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int CHANGES = 150;

    private final DatabaseKind kind;
    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;
    private final CredentialDatabase database;
    private final JdbcKeyTotals totals;

    TotalsTests(TestDatabase test) {
        this.kind = test.kind();
        this.fixture = new RegistryFixture(
                test,
                options -> options.withImportedTokens(
                        ForeignTokenForm.byHash("sk_[0-9a-f]{32}", ForeignHashAlgorithm.SHA256)));
        this.registry = fixture.registry;
        this.database = fixture.database;
        this.totals = new JdbcKeyTotals(database, new RandomHex(RegistryFixture.RANDOM));
    }

    @Test
    void totalsThenEveryKeyHasOneState() {
        fixture.registries.totalsMaintenance().run();
        Duration day = Duration.ofDays(1);
        issue(null);
        registry.disable(issue(null));
        issue(day);
        registry.disable(issue(day));
        registry.revoke(issue(null));
        registry.revoke(issue(day));
        String revoked = issue(null);
        registry.disable(revoked);
        registry.revoke(revoked);
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(2, 2, 0, 3));

        fixture.clock.advance(day);

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(1, 1, 2, 3));
    }

    @Test
    void totalsWhenKeyExpiresWithinTheHourThenExact() {
        fixture.registries.totalsMaintenance().run();
        issue(Duration.ofMinutes(10));
        registry.disable(issue(Duration.ofMinutes(20)));
        fixture.clock.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(1, 1, 0, 0));

        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 1, 1, 0));
        fixture.clock.advance(Duration.ofMinutes(10));
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 0, 2, 0));
    }

    @Test
    void totalsWhenNeverCountedThenReadsTheKeys() {
        String id = issue(HOUR);
        registry.disable(issue(null));
        registry.revoke(issue(null));
        database.jdbc()
                .sql("DELETE FROM _credential_api_key_totals WHERE namespace = :namespace")
                .param("namespace", fixture.namespace)
                .update();
        registry.disable(id); // all that the table knows

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 2, 0, 1));
        fixture.clock.advance(HOUR);
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 1, 1, 1));
    }

    @Test
    void totalsWhenKeyIsOfAnotherNamespaceThenLeftOut() {
        totals.recount(fixture.namespace);
        RegistryFixture.with(database, fixture.keyring).issue();

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 0, 0, 0));
    }

    @Test
    void totalsWhenSumsExceedALongThenLimited() {
        totals.recount(fixture.namespace);
        for (int hour = 1; hour <= 2; hour++) {
            totals.add(fixture.namespace, Map.of(new KeyBucket("revoked", hour), Long.MAX_VALUE));
        }

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 0, 0, Long.MAX_VALUE));
    }

    @Test
    void eraseThenKeysOfTheOwnerAreNotCounted() {
        totals.recount(fixture.namespace);
        issue(null);
        registry.disable(issue(HOUR));
        registry.issue(IssueRequest.forOwner("another"));

        registry.eraseAllForOwner("user-42");

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(1, 0, 0, 0));
    }

    @Test
    void revokeWhenRowIsForgedThenCounted() {
        totals.recount(fixture.namespace);
        String id = issue(null);
        fixture.tamper(id, "row_mac = 'm1.forged'");

        registry.revoke(id);

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 0, 0, 1));
    }

    @Test
    void importWhenKeyIsPresentThenCountedOnce() {
        totals.recount(fixture.namespace);
        KeyImport key = imported("0123456789abcdef0123456789abcdef");

        registry.importKeys(List.of(key).iterator(), ImportOptions.defaults());
        registry.importKeys(List.of(key).iterator(), ImportOptions.defaults());

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(1, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void changesThenTotalsAreThoseOfTheKeys(long seed) {
        totals.recount(fixture.namespace);
        RandomChanges changes = new RandomChanges(new Random(seed));
        for (int i = 0; i < CHANGES; i++) {
            changes.next();
            if (i % 50 == 20) {
                totals.merge(fixture.namespace, fixture.clock.millis());
            } else if (i % 50 == 40) {
                totals.recount(fixture.namespace);
            }
            assertThat(registry.totals()).as("after change %s", i).isEqualTo(counted());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void recountWhenChangeIsInFlightThenStaysRight(int change) throws Exception {
        String active = issue(null);
        String old = issue(null);
        registry.revoke(old);
        fixture.clock.advance(Duration.ofDays(91));
        Runnable inFlight = List.<Runnable>of(() -> issue(HOUR), () -> registry.disable(active), registry::purgeExpired)
                .get(change);

        try (TestThreads threads = new TestThreads()) {
            CompletableFuture<Void> recount = database.inTransaction(() -> {
                inFlight.run();
                CompletableFuture<Void> running =
                        CompletableFuture.runAsync(() -> totals.recount(fixture.namespace), threads);
                if (kind == DatabaseKind.POSTGRESQL) { // a file has one writer
                    Patience.until(running::isDone);
                }
                return running;
            });
            Patience.get(recount);
        }

        assertThat(registry.totals()).isEqualTo(counted());
    }

    @Test
    void recountWhenTwoBeginAtOnceThenKeysCountOnce() throws Exception {
        assumeThat(kind).as("a file has one writer").isEqualTo(DatabaseKind.POSTGRESQL);
        issue(null);

        IntSupplier waitingLocks = () -> database.outsideTransaction(() -> database.jdbc()
                .sql("SELECT count(*) FROM pg_locks WHERE NOT granted"
                        + " AND relation = '_credential_api_key_totals'::regclass")
                .query(Integer.class)
                .single());

        try (TestThreads threads = new TestThreads()) {
            CompletableFuture<Void> second = database.inTransaction(() -> {
                totals.recount(fixture.namespace);
                CompletableFuture<Void> waiting =
                        CompletableFuture.runAsync(() -> totals.recount(fixture.namespace), threads);
                Patience.until(() -> waiting.isDone() || waitingLocks.getAsInt() > 0);
                return waiting;
            });
            Patience.get(second);
        }

        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(1, 0, 0, 0));
    }

    @Test
    void mergeThenOneRowIsLeftForEachStateAndHour() {
        totals.recount(fixture.namespace);
        issue(HOUR);
        issue(HOUR);
        issue(Duration.ofHours(2));
        registry.revoke(issue(null));
        registry.revoke(issue(null));

        totals.merge(fixture.namespace, fixture.clock.millis());

        assertThat(rows()).containsExactly("active 1", "active 2", "counted 1", "revoked 2");
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(3, 0, 0, 2));
    }

    @Test
    void mergeWhenHoursArePastThenOneRowIsLeftForThem() {
        totals.recount(fixture.namespace);
        issue(HOUR);
        issue(Duration.ofHours(2));
        issue(Duration.ofHours(30));
        fixture.clock.advance(Duration.ofHours(31));

        totals.merge(fixture.namespace, fixture.clock.millis());

        assertThat(rows()).containsExactly("active 1", "active 2", "counted 1");
        assertThat(registry.totals()).isEqualTo(new ApiKeyTotals(0, 0, 3, 0));
    }

    @Test
    void totalsThenIndexLeadsToTheKeysOfTheHour() {
        boolean postgresql = kind == DatabaseKind.POSTGRESQL;
        List<String> plan = database.inTransaction(() -> {
            if (postgresql) {
                database.jdbc().sql("SET LOCAL enable_seqscan = off").update(); // the table is small
            }
            return database.jdbc()
                    .sql((postgresql ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + JdbcKeyTotals.TOTALS)
                    .param("namespace", fixture.namespace)
                    .param("now", 2L)
                    .param("hour", 0L)
                    .param("hourBegin", 1L)
                    .query((row, index) -> row.getString(postgresql ? 1 : 4))
                    .list();
        });

        assertThat(plan).anyMatch(line -> line.contains("_credential_api_keys_expiring"));
    }

    private List<String> rows() {
        return database.jdbc()
                .sql("SELECT state, delta FROM _credential_api_key_totals WHERE namespace = :namespace"
                        + " ORDER BY state, delta")
                .param("namespace", fixture.namespace)
                .query((row, index) -> row.getString(1) + " " + row.getLong(2))
                .list();
    }

    private ApiKeyTotals counted() {
        Map<ApiKeyState, Integer> states = new EnumMap<>(ApiKeyState.class);
        for (ApiKey key : keys()) {
            states.merge(ApiKeyState.of(key, fixture.clock.instant()), 1, Integer::sum);
        }
        return new ApiKeyTotals(
                states.getOrDefault(ApiKeyState.ACTIVE, 0),
                states.getOrDefault(ApiKeyState.DISABLED, 0),
                states.getOrDefault(ApiKeyState.EXPIRED, 0),
                states.getOrDefault(ApiKeyState.REVOKED, 0));
    }

    private List<ApiKey> keys() {
        ApiKeyPage page =
                registry.list(ListOptions.defaults().withExpired().withRevoked().withLimit(ListOptions.MAX_LIMIT));
        assertThat(page.nextCursor()).isNull();
        return page.keys();
    }

    private String issue(@Nullable Duration lifetime) {
        Instant expiresAt = lifetime == null ? null : fixture.clock.instant().plus(lifetime);
        return registry.issue(IssueRequest.forOwner("user-42").expiresAt(expiresAt))
                .id();
    }

    private static KeyImport imported(String token) {
        return KeyImport.of(
                IssueRequest.forOwner("user-42"), ForeignHash.of(ForeignHashAlgorithm.SHA256, token + token));
    }

    /** Changes keys at random, and rolls some of the changes back. */
    private final class RandomChanges {

        private final Random random;
        private final List<String> ids = new ArrayList<>();

        RandomChanges(Random random) {
            this.random = random;
        }

        void next() {
            if (random.nextInt(5) > 0) {
                change();
                return;
            }
            try {
                database.inTransaction(() -> {
                    change();
                    throw new IllegalStateException("rolled back");
                });
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("rolled back");
            }
        }

        private void change() {
            List<Callable<Object>> changes = List.of(
                    () -> ids.add(issue(lifetime())),
                    () -> ids.add(issue(null)),
                    () -> registry.importKeys(
                            List.of(
                                            imported("%032x".formatted(random.nextInt(20))),
                                            imported("%032x".formatted(random.nextInt(20))))
                                    .iterator(),
                            ImportOptions.defaults()),
                    () -> registry.update(
                            id(),
                            ApiKeyChanges.none()
                                    .expiresAt(fixture.clock.instant().plus(lifetime()))),
                    () -> registry.update(id(), ApiKeyChanges.none().neverExpires()),
                    () -> registry.disable(id()),
                    () -> registry.enable(id()),
                    () -> registry.revoke(id()),
                    () -> registry.rotate(id(), Rotation.immediate()),
                    registry::purgeExpired,
                    () -> {
                        fixture.clock.advance(Duration.ofMinutes(random.nextInt(50 * 24 * 60)));
                        return true;
                    });
            try {
                Objects.requireNonNull(
                        changes.get(random.nextInt(changes.size())).call());
            } catch (ApiKeyException e) {
                assertThat(e.code()).isIn("api-key/not-found", "api-key/expired", "api-key/revoked");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private String id() {
            return ids.isEmpty() ? "0123456789abcdef" : ids.get(random.nextInt(ids.size()));
        }

        private Duration lifetime() {
            return Duration.ofMinutes(1 + random.nextInt(60 * 24 * 60));
        }
    }
}
