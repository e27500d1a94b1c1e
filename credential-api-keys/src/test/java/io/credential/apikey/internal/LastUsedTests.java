package io.credential.apikey.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RegistryTestBase;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

@BothDatabases
class LastUsedTests extends RegistryTestBase {

    private final IssuedApiKey issued;

    LastUsedTests(TestDatabase database) {
        super(database);
        this.issued = fixture.issue();
    }

    @Test
    void verifyThenUseIsShownAtOnceAndStoredByTheFlush() {
        assertThat(registry.getById(issued.id()).orElseThrow().lastUsedAt()).isNull();

        registry.verify(issued.key());

        assertThat(fixture.stored(issued.id(), "last_used_at")).isNull();
        assertThat(registry.getById(issued.id()).orElseThrow().lastUsedAt()).isEqualTo(fixture.clock.instant());
        assertThat(registry.listForOwner("user-42").get(0).lastUsedAt()).isEqualTo(fixture.clock.instant());

        fixture.registries.flushLastUsed();

        assertThat(storedUse()).isEqualTo(fixture.clock.instant());
    }

    @Test
    void flushWhenUsedSeveralTimesThenStoresTheLatest() {
        registry.verify(issued.key());
        fixture.clock.advance(Duration.ofSeconds(5));
        registry.verify(issued.key());
        Instant latest = fixture.clock.instant();
        fixture.clock.advance(Duration.ofSeconds(-9));
        registry.verify(issued.key());

        fixture.registries.flushLastUsed();

        assertThat(storedUse()).isEqualTo(latest);
    }

    @Test
    void flushWhenAnotherNodeStoredALaterUseThenItStays() {
        registry.verify(issued.key());
        Instant later = fixture.clock.instant().plus(Duration.ofMinutes(1));
        fixture.tamper(issued.id(), "last_used_at = " + later.toEpochMilli());

        fixture.registries.flushLastUsed();

        assertThat(storedUse()).isEqualTo(later);
    }

    @Test
    void backgroundWorkThenStoresFirstUseInTheNextRound() {
        registry.verify(issued.key());
        fixture.registries.runBackgroundWorkOnce();
        Instant first = fixture.clock.instant();
        assertThat(storedUse()).isEqualTo(first);

        fixture.clock.advance(Duration.ofSeconds(1));
        registry.verify(issued.key());
        fixture.registries.runBackgroundWorkOnce();
        assertThat(storedUse()).as("a further use waits").isEqualTo(first);

        for (int round = 0; round < 10; round++) {
            fixture.registries.runBackgroundWorkOnce();
        }
        assertThat(storedUse()).as("but not for more than ten rounds").isEqualTo(fixture.clock.instant());
    }

    @Test
    void closeThenPendingAndLaterUsesAreStoredAtOnce() {
        fixture.registries.start();
        registry.verify(issued.key());

        fixture.registries.close();
        assertThat(storedUse()).isEqualTo(fixture.clock.instant());

        fixture.clock.advance(Duration.ofSeconds(1));
        registry.verify(issued.key());
        assertThat(storedUse()).isEqualTo(fixture.clock.instant());
    }

    @Test
    void startWhenClosedBeforeThenUsesWaitAgain() {
        registry.verify(issued.key());
        fixture.registries.close();
        Instant first = fixture.clock.instant();

        fixture.registries.start();
        fixture.clock.advance(Duration.ofSeconds(1));
        registry.verify(issued.key());
        assertThat(storedUse()).isEqualTo(first);

        fixture.registries.close();
        assertThat(storedUse()).isEqualTo(fixture.clock.instant());
    }

    @Test
    void verifyWhenRejectedThenNoUseIsRecorded() {
        registry.verify(issued.key().substring(0, issued.key().length() - 1) + "x");
        registry.verify("bk_" + fixture.namespace + "_" + issued.id() + "_" + "00".repeat(16));

        assertThat(registry.getById(issued.id()).orElseThrow().lastUsedAt()).isNull();
    }

    @Test
    void verifyWhenTrackingIsOffThenNoUseIsRecorded() {
        RegistryFixture untracked = new RegistryFixture(database, options -> options.withTrackLastUsed(false));
        IssuedApiKey key = untracked.issue();

        assertThat(untracked.registry.verify(key.key()).orElseThrow().lastUsedAt())
                .isNull();
        untracked.registries.flushLastUsed();
        assertThat(untracked.stored(key.id(), "last_used_at")).isNull();
    }

    @Test
    void backgroundWorkWhenWriteFailsThenUseGoesOnWaiting() {
        try (TestDatabase failing = TestDatabase.create(database.kind())) {
            RegistryFixture other = new RegistryFixture(failing);
            IssuedApiKey key = other.issue();
            other.registry.verify(key.key());
            other.jdbc().sql("alter table _credential_api_keys rename to away").update();

            other.registries.runBackgroundWorkOnce();
            other.jdbc().sql("alter table away rename to _credential_api_keys").update();
            other.registries.flushLastUsed();

            assertThat(other.stored(key.id(), "last_used_at"))
                    .isEqualTo(Long.toString(other.clock.instant().toEpochMilli()));
        }
    }

    @Test
    void usedWhenAtCapacityThenOnlyAFurtherKeyIsDropped() {
        LastUses bounded = new LastUses(fixture.database, 1);
        IssuedApiKey other = fixture.issue();

        bounded.used(fixture.namespace, issued.id(), 1, true);
        bounded.used(fixture.namespace, other.id(), 2, true);
        bounded.used(fixture.namespace, issued.id(), 3, false);
        bounded.flush();

        assertThat(fixture.stored(issued.id(), "last_used_at")).isEqualTo("3");
        assertThat(fixture.stored(other.id(), "last_used_at")).isNull();
    }

    @Test
    void flushWhenManyKeysThenWrittenInTheOrderOfIds() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            RegistryFixture other = new RegistryFixture(sqlite);
            other.jdbc().sql("create table written (id text)").update();
            other.jdbc()
                    .sql("create trigger written after update on _credential_api_keys"
                            + " begin insert into written values (new.id); end")
                    .update();
            for (int i = 0; i < 20; i++) {
                other.registry.verify(other.issue().key());
            }

            other.registries.flushLastUsed();

            assertThat(other.jdbc()
                            .sql("select id from written order by rowid")
                            .query((row, index) -> row.getString(1))
                            .list())
                    .hasSize(20)
                    .isSorted();
        }
    }

    @Test
    void flushWhenUsesGoOnThenLatestIsStoredInTheEnd() {
        LastUses uses = new LastUses(fixture.database, 1);
        int threads = 3;
        int rounds = 500;
        AtomicInteger using = new AtomicInteger(threads);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            tasks.add(() -> {
                for (int time = 1; time <= rounds; time++) {
                    uses.used(fixture.namespace, issued.id(), time, false);
                }
                return using.decrementAndGet() == 0;
            });
        }
        tasks.add(() -> {
            while (using.get() > 0) {
                uses.flush();
            }
            return true;
        });

        InParallel.run(tasks);
        uses.flush();

        assertThat(fixture.stored(issued.id(), "last_used_at")).isEqualTo(Integer.toString(rounds));
    }

    private Instant storedUse() {
        return Instant.ofEpochMilli(Long.parseLong(fixture.stored(issued.id(), "last_used_at")));
    }
}
