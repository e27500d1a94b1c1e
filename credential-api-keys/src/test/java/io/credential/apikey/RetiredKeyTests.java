package io.credential.apikey;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.keyring.KeyringException;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A key cannot be removed from the keyring while a column of a row still needs it, whichever column that is. */
@BothDatabases
class RetiredKeyTests {

    private final SecretBytes key = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final SecretBytes index = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final Keyring before = Keyring.of(
            "new",
            Map.of("new", key, "old", SecretBytes.random(32, RegistryFixture.RANDOM)),
            "new",
            Map.of("new", index, "old", SecretBytes.random(32, RegistryFixture.RANDOM)));
    private final Keyring after = Keyring.of("new", Map.of("new", key), "new", Map.of("new", index));
    private final RegistryFixture fixture;
    private final KeyringGuard guard;

    RetiredKeyTests(TestDatabase database) {
        this.fixture = RegistryFixture.with(database.migrate(JdbcApiKeyRegistries.SCHEMA), before);
        this.guard = new KeyringGuard(fixture.database, RegistryFixture.RANDOM, Set.of(), () -> false, keyring -> {});
    }

    @Test
    void checkWhenAnySealedColumnNeedsTheKeyThenRefused() {
        String id = issueWithEveryColumn();
        Map<String, String> cells = sealedCells(id);
        guard.check(before, "before");

        assertThat(cells).isNotEmpty().allSatisfy((column, cell) -> {
            fixture.tamper(id, column + " = '" + cell.replace(".new.", ".old.") + "'");
            assertThatExceptionOfType(KeyringException.class)
                    .isThrownBy(() -> guard.check(after, "after"))
                    .withMessageContaining("'old'");
            fixture.tamper(id, column + " = '" + cell + "'");
        });
        guard.check(after, "after");
    }

    private String issueWithEveryColumn() {
        String id = fixture.registry
                .issue(IssueRequest.forOwner("user-42")
                        .name("backup")
                        .scopes("read:orders")
                        .metadata(Map.of("plan", "pro")))
                .id();
        fixture.registry.rotate(id, Rotation.graceful());
        return id;
    }

    /** Found by their form, so that a column that is added later is among them. */
    private Map<String, String> sealedCells(String id) {
        Map<String, String> cells = new TreeMap<>();
        fixture.row(id).forEach((column, value) -> {
            if (!column.endsWith("_at")) {
                assertThat(value)
                        .as(column + " must have a value to be examined")
                        .isNotNull();
            }
            if (value instanceof String cell && cell.matches("[a-z]\\d\\.new\\..+")) {
                cells.put(column, cell);
            }
        });
        return cells;
    }
}
