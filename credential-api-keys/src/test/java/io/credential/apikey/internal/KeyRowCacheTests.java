package io.credential.apikey.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.apikey.internal.cache.InvalidatedCache;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.LocalNotifications;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** A cached row need not be read; an opened one need not be authenticated and opened again. */
@BothDatabases
class KeyRowCacheTests {

    private static final KeyContents CONTENTS =
            new KeyContents("user-42", List.of("read:orders"), Map.of(), KeyDetails.NONE);

    private final LocalNotifications.Node notifications = new LocalNotifications().node();
    private final CredentialDatabase database;
    private final KeyRowCache cache;

    KeyRowCacheTests(TestDatabase database) {
        this.database = database.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.cache = new KeyRowCache(
                this.database,
                new InvalidatedCache<>(
                        "api-keys",
                        new CacheSettings(10, Duration.ofSeconds(30)),
                        KeyRowCache.Opened::size,
                        notifications,
                        MutableClock.atNewYear(),
                        System::nanoTime,
                        delay -> {}));
        cache.start();
    }

    @Test
    void cachedWhenKeptThenReturnedUntilInvalidated() {
        keepCached();
        assertThat(cached()).isEqualTo(new KeyRowCache.Opened(row(), CONTENTS));

        cache.invalidate("orders", "01");

        assertThat(cached()).isNull();
    }

    @Test
    void cachedWhenNotListeningThenNullButStaysOpened() {
        keepCached();
        cache.keepOpened(row(), CONTENTS);

        notifications.disconnect();

        assertThat(cached()).isNull();
        assertThat(cache.opened(row())).isEqualTo(CONTENTS);
    }

    @Test
    void cachedInTransactionThenNullButStaysOpened() {
        keepCached();
        cache.keepOpened(row(), CONTENTS);

        database.inTransaction(() -> {
            assertThat(cached()).isNull();
            assertThat(cache.beginRead("orders", "01")).isNull();
            assertThat(cache.opened(row())).isEqualTo(CONTENTS);
            return true;
        });

        assertThat(cached()).isNotNull();
    }

    @Test
    void openedWhenOnlyCachedThenNull() {
        keepCached();

        assertThat(cache.opened(row())).isNull();
    }

    @Test
    void openedWhenInvalidatedOrClosedThenStays() {
        cache.keepOpened(row(), CONTENTS);

        cache.invalidate("orders", "01");
        cache.close();

        assertThat(cache.opened(row())).isEqualTo(CONTENTS);
    }

    @Test
    void openedWhenOnlyLastUseDiffersThenReturned() {
        cache.keepOpened(row(), CONTENTS);

        assertThat(cache.opened(row().withLastUsedAt(7))).isEqualTo(CONTENTS);
    }

    @Test
    void openedWhenRowDiffersThenNull() {
        cache.keepOpened(row(), CONTENTS);

        assertThat(List.of(
                        row().withRowMac("m1.k1.01"),
                        row().withRevokedAt(1),
                        row().withNextVersion(),
                        row().withPrefix("sk"),
                        row().withSecrets(new ApiKeyRow.Secrets("other", null, null))))
                .allSatisfy(row -> assertThat(cache.opened(row)).isNull());
    }

    private KeyRowCache.@Nullable Opened cached() {
        return cache.cached("orders", "01");
    }

    private void keepCached() {
        cache.keepCached(Objects.requireNonNull(cache.beginRead("orders", "01")), row(), CONTENTS);
    }

    private static ApiKeyRow row() {
        return new ApiKeyRow(
                new ApiKeyRow.Identity("orders", "01", "bk", 1),
                new ApiKeyRow.Cells("owner", "a", "b", "c", null),
                new ApiKeyRow.Secrets("hash", null, null),
                new ApiKeyRow.State(null, null, null, 1),
                null,
                "m1.k1.00");
    }
}
