package io.credential.keyring.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

@BothDatabases
class KeyringGuardTests {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final CredentialDatabase database;
    private final KeyringGuard guard;
    private final KeyChecks checks;

    @TempDir
    private Path directory;

    KeyringGuardTests(TestDatabase test) {
        this.database = test.database();
        this.guard = new KeyringGuard(database, RANDOM, Set.of(), () -> false, keyring -> {});
        this.checks = new KeyChecks(database, List.of());
    }

    @BeforeEach
    void emptyDatabase() {
        database.jdbc().sql("DELETE FROM _credential_key_checks").update();
        database.jdbc().sql("DROP TABLE IF EXISTS _credential_api_keys").update();
        database.jdbc()
                .sql("DROP TABLE IF EXISTS _credential_webhook_endpoints")
                .update();
        database.jdbc().sql("DROP TABLE IF EXISTS Other_Endpoints").update();
    }

    @Test
    void openWhenNothingIsSealedThenCreatesAndKeepsKeyring() {
        Keyring created = guard.open(file("a"), true);

        assertThat(checks.findAll()).isEqualTo(created.checkValues());
        assertThat(guard.open(file("a"), true).checkValues()).isEqualTo(created.checkValues());
        assertThat(guard.open(file("a"), false).checkValues()).isEqualTo(created.checkValues());
    }

    @Test
    void openWhenCreationIsNotAllowedThenRefused() {
        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), false))
                .withMessageContaining("may not be created")
                .withMessageContaining(file("a").path().toString());
        assertThat(file("a").exists()).isFalse();
        assertThat(checks.findAll()).isEmpty();
    }

    @Test
    void openWhenLostAndRowsAreSealedThenNeverReplaced() throws IOException {
        guard.open(file("a"), true);
        insertRow("s1.k1.AAAA", "m1.k1.00");
        Map<String, String> before = checks.findAll();
        Files.delete(file("a").path());

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), true))
                .withMessageContaining("Restore the file from a backup")
                .withMessageContaining("give each application its own");
        assertThat(file("a").exists()).isFalse();
        assertThat(checks.findAll()).isEqualTo(before);
    }

    @Test
    void openWhenLostBeforeAnythingWasSealedThenReplaced() throws IOException {
        Keyring lost = guard.open(file("a"), true);
        Files.delete(file("a").path());

        Keyring replacement = guard.open(file("a"), true);

        assertThat(replacement.checkValues()).isNotEqualTo(lost.checkValues());
        assertThat(checks.findAll()).isEqualTo(replacement.checkValues());
    }

    @Test
    void openWhenLostButAnotherNodeHasItThenRefused() throws IOException {
        KeyringGuard accompanied = new KeyringGuard(database, RANDOM, Set.of(), () -> true, keyring -> {});
        accompanied.open(file("a"), true);
        Map<String, String> before = checks.findAll();
        Files.delete(file("a").path());

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> accompanied.open(file("a"), true))
                .withMessageContainingAll("another node", "credential.mode=cluster");
        assertThat(file("a").exists()).isFalse();
        assertThat(checks.findAll()).isEqualTo(before);
    }

    @Test
    void openWhenLostAndCreationIsNotAllowedThenRefused() throws IOException {
        guard.open(file("a"), true);
        Files.delete(file("a").path());

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), false))
                .withMessageContaining("may not be created")
                .withMessageNotContaining("sealed with it");
    }

    @Test
    void openWhenNothingIsSealedThenNoDataIsClaimedToBe() {
        guard.open(file("a"), true);
        KeyringFile other = file("b");
        other.create(KeyringJson.generate(RANDOM), RANDOM);

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(other, true))
                .withMessageContainingAll("not the one of this database", "_credential_key_checks")
                .withMessageNotContaining("sealed the data");
    }

    @Test
    void generateWhenNothingIsSealedThenReplacesValues() {
        Keyring first = guard.generate();
        Keyring second = guard.generate();

        assertThat(second.checkValues()).isNotEqualTo(first.checkValues());
        assertThat(checks.findAll()).isEqualTo(second.checkValues());
    }

    @Test
    void generateWhenRowsAreSealedThenRefused() {
        guard.generate();
        insertRow("s1.k1.AAAA", "m1.k1.00");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(guard::generate)
                .withMessageContainingAll("ephemeral", "sealed with another", "credential.keyring.location");
    }

    @Test
    void generateWhenAnotherNodeIsThereThenRefused() {
        KeyringGuard accompanied = new KeyringGuard(database, RANDOM, Set.of(), () -> true, keyring -> {});
        accompanied.generate();

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(accompanied::generate)
                .withMessageContaining("another node");
    }

    @Test
    void checkWhenIndexKeyIsStillUsedThenItCannotBeRetired() {
        Keyring both = Keyring.of("k1", Map.of("k1", secret(1)), "i2", Map.of("i1", secret(9), "i2", secret(8)));
        Keyring retired = Keyring.of("k1", Map.of("k1", secret(1)), "i2", Map.of("i2", secret(8)));
        guard.check(both, "first");
        insertRow("s1.k1.AAAA", "m1.k1.00", "i1.i1.00");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(retired, "second"))
                .withMessageContainingAll("lacks the index key 'i1'", "still indexed", "resealSealedColumns()");

        database.jdbc()
                .sql("UPDATE _credential_api_keys SET owner_id_hash = 'i1.i2.00'")
                .update();
        database.jdbc()
                .sql("CREATE TABLE _credential_api_key_terms (term TEXT)")
                .update();
        database.jdbc()
                .sql("INSERT INTO _credential_api_key_terms (term) VALUES ('i1.i1.00')")
                .update();
        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(retired, "third"))
                .withMessageContaining("still indexed");

        database.jdbc()
                .sql("UPDATE _credential_api_key_terms SET term = 'i1.i2.00'")
                .update();
        guard.check(retired, "fourth");
        assertThat(checks.findAll()).containsOnlyKeys("k1", "index/i2", "retired/index/i1");
    }

    @Test
    void openWhenSealedButNoKeyIsKnownThenNothingIsCreated() {
        insertRow("s1.k1.AAAA", "m1.k1.00");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), true))
                .withMessageContaining("Restore the file from a backup");
        assertThat(file("a").exists()).isFalse();
        assertThat(checks.findAll()).isEmpty();
    }

    @Test
    void openWhenTheFileIsMalformedThenNeverReplaced() throws IOException {
        guard.open(file("a"), true);
        Files.writeString(file("a").path(), "");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), true))
                .withMessageContaining("malformed");
        assertThat(file("a").path()).isEmptyFile();
    }

    @Test
    void openWhenKeyringWasLeftUnrecordedThenItIsTaken() {
        KeyringFile left = file("a");
        left.create(KeyringJson.generate(RANDOM), RANDOM);

        Keyring keyring = guard.open(left, true);

        assertThat(keyring.checkValues()).isEqualTo(left.load().checkValues());
        assertThat(checks.findAll()).isEqualTo(keyring.checkValues());
    }

    @Test
    void openWhenFileCannotBeCreatedThenNothingIsRecorded() throws IOException {
        Path occupied = Files.createFile(directory.resolve("occupied"));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(new KeyringFile(occupied.resolve("keyring.json"), false), true))
                .withMessageContaining("cannot be created");
        assertThat(checks.findAll()).isEmpty();
    }

    @Test
    void checkWhenKeyDiffersFromRecordedThenRefusedByItsId() {
        guard.check(keyring("k1", Map.of("k1", secret(1)), 9), "first");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(keyring("k1", Map.of("k1", secret(2)), 9), "second"))
                .withMessageContaining("second")
                .withMessageContaining("'k1'");
    }

    @Test
    void checkWhenIndexKeyDiffersFromRecordedThenRefused() {
        guard.check(keyring("k1", Map.of("k1", secret(1)), 9), "first");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(keyring("k1", Map.of("k1", secret(1)), 8), "second"))
                .withMessageContaining("index key");
    }

    @Test
    void checkWhenRefusedThenRecordsNothing() {
        guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "first");
        Map<String, String> before = checks.findAll();

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(keyring("k1", Map.of("k1", secret(1), "k2", secret(3)), 9), "second"));

        assertThat(checks.findAll()).isEqualTo(before);
    }

    @Test
    void checkWhenAKeyIsNewThenItIsRecorded() {
        guard.check(keyring("k1", Map.of("k1", secret(1)), 9), "first");
        Keyring more = keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9);

        guard.check(more, "second");

        assertThat(checks.findAll()).isEqualTo(more.checkValues());
    }

    @Test
    void requireMatchingThenRecordsAndForgetsNothing() {
        guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        Map<String, String> before = checks.findAll();

        guard.requireMatching(keyring("k2", Map.of("k2", secret(2), "k3", secret(3)), 9), "second");

        assertThat(checks.findAll()).isEqualTo(before);
    }

    @Test
    void requireMatchingWhenKeyDiffersThenRefused() {
        guard.check(keyring("k1", Map.of("k1", secret(1)), 9), "first");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.requireMatching(keyring("k1", Map.of("k1", secret(2)), 9), "second"))
                .withMessageContainingAll("second", "'k1'");
    }

    @Test
    void requireMatchingWhenKeyIsMissingThenRefused() {
        guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        insertRow("s1.k2.AAAA", "m1.k1.00");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.requireMatching(keyring("k2", Map.of("k2", secret(2)), 9), "second"))
                .withMessageContaining("lacks the key 'k1'");
    }

    @Test
    void checkWhenNoRowUsesRemovedKeyThenRetired() {
        guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        insertRow("s1.k2.AAAA", "m1.k2.00");
        Keyring retired = keyring("k2", Map.of("k2", secret(2)), 9);

        guard.check(retired, "second");

        assertThat(checks.findAll())
                .containsAllEntriesOf(retired.checkValues())
                .containsOnlyKeys("k2", "index/i1", "retired/k1");
    }

    @Test
    void checkWhenIdOfRemovedKeyIsReusedThenRefused() {
        removeFirstKey();
        Keyring reused = keyring("k2", Map.of("k1", secret(3), "k2", secret(2)), 9);
        Map<String, String> before = checks.findAll();

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(reused, "third"))
                .withMessageContainingAll("third", "id of a removed key", "'k1'");
        assertThatExceptionOfType(KeyringException.class).isThrownBy(() -> guard.requireMatching(reused, "third"));
        assertThat(checks.findAll()).isEqualTo(before);
    }

    @Test
    void checkWhenRemovedKeyIsPutBackThenAccepted() {
        removeFirstKey();
        Keyring both = keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9);

        guard.check(both, "third");

        assertThat(checks.findAll()).containsAllEntriesOf(both.checkValues());
    }

    private void removeFirstKey() {
        guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "second");
    }

    @Test
    void checkWhenARetiredKeyIsStillUsedThenRefusedByItsId() {
        List<String[]> rows =
                List.of(new String[] {"s1.k2.AAAA", "m1.k1.00"}, new String[] {"s1.k1.AAAA", "m1.k2.00"}, new String[] {
                    "s0.k1.AAAA", null
                });
        for (String[] row : rows) {
            emptyDatabase();
            guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
            insertRow(row[0], row[1]);

            assertThatExceptionOfType(KeyringException.class)
                    .isThrownBy(() -> guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "second"))
                    .withMessageContaining("lacks the key 'k1'");
            assertThat(checks.findAll()).containsKey("k1");
        }
    }

    @Test
    void checkWhenLongerNameIsUsedThenShorterIsRetired() {
        guard.check(keyring("k10", Map.of("k1", secret(1), "k10", secret(2)), 9), "first");
        insertRow("s1.k10.AAAA", "m1.k10.00");

        assertThatNoException().isThrownBy(() -> guard.check(keyring("k10", Map.of("k10", secret(2)), 9), "second"));
        assertThat(checks.findAll()).containsOnlyKeys("k10", "index/i1", "retired/k1");
    }

    @Test
    void openWhenAnEndpointHasASecretThenNothingIsCreated() {
        insertEndpoint("_credential_webhook_endpoints", "s1.k1.AAAA");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.open(file("a"), true))
                .withMessageContaining("Restore the file from a backup");
        assertThat(file("a").exists()).isFalse();
    }

    @Test
    void checkWhenRetiredKeySealsEndpointThenSaysWhatToCall() {
        for (String cell : List.of("s1.k1.AAAA", "s0.k1.AAAA")) {
            emptyDatabase();
            guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
            insertEndpoint("_credential_webhook_endpoints", cell);

            assertThatExceptionOfType(KeyringException.class)
                    .isThrownBy(() -> guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "second"))
                    .withMessageContainingAll("lacks the key 'k1'", "resealSealedColumns()", "resealSecrets()")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain(cell));
            assertThat(checks.findAll()).containsKey("k1");
        }
    }

    /** A rotation seals the secrets under the active key, but not the headers. */
    @ParameterizedTest
    @ValueSource(strings = {"previous_secret", "headers"})
    void checkWhenRetiredKeySealsAnotherCellThenRefused(String column) {
        guard.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        insertEndpoint("_credential_webhook_endpoints", "s1.k2.AAAA");
        database.jdbc()
                .sql("UPDATE _credential_webhook_endpoints SET " + column + " = 's1.k1.AAAA'")
                .update();

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "second"))
                .withMessageContainingAll("lacks the key 'k1'", "resealSecrets()");
    }

    @Test
    void checkWhenRemovedKeyIsNeededThenNewOneIsNotRecorded() {
        guard.check(keyring("k1", Map.of("k1", secret(1)), 9), "first");
        insertRow("s1.k1.AAAA", "m1.k1.00");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> guard.check(keyring("k2", Map.of("k2", secret(2)), 9), "second"));

        assertThat(checks.findAll()).doesNotContainKey("k2");
    }

    /** Other nodes wait while keys are announced, and to read all rows may take minutes. */
    @Test
    void checkWhenKeyWasRemovedThenRowsAreReadAfterwards() {
        RecordedStatements steps = new RecordedStatements(database.dataSource());
        KeyringGuard recorded = new KeyringGuard(
                CredentialDatabase.of(steps),
                RANDOM,
                Set.of(),
                () -> false,
                keyring -> steps.statements().add("announce"));
        recorded.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        insertRow("s1.k2.AAAA", "m1.k2.00");
        steps.clear();

        recorded.check(keyring("k2", Map.of("k2", secret(2)), 9), "second");

        assertThat(steps.transactions()).hasSizeGreaterThan(2);
        assertThat(steps.statements())
                .filteredOn(step -> step.equals("announce") || step.contains("row_mac LIKE"))
                .satisfiesExactly(
                        step -> assertThat(step).isEqualTo("announce"),
                        step -> assertThat(step).contains("row_mac LIKE"));
        assertThat(checks.findAll()).doesNotContainKey("k1");
    }

    @Test
    void checkWhenNoEndpointUsesRemovedKeyThenRetired() {
        guard.check(keyring("k10", Map.of("k1", secret(1), "k10", secret(2)), 9), "first");
        insertEndpoint("_credential_webhook_endpoints", "s1.k10.AAAA");

        guard.check(keyring("k10", Map.of("k10", secret(2)), 9), "second");

        assertThat(checks.findAll()).containsOnlyKeys("k10", "index/i1", "retired/k1");
    }

    @Test
    void checkWhenEndpointsAreInAnotherTableThenTheyCount() {
        KeyringGuard informed =
                new KeyringGuard(database, RANDOM, Set.of("Other_Endpoints"), () -> false, keyring -> {});
        Keyring retired = keyring("k2", Map.of("k2", secret(2)), 9);
        informed.check(keyring("k2", Map.of("k1", secret(1), "k2", secret(2)), 9), "first");
        insertEndpoint("Other_Endpoints", "s1.k1.AAAA");

        assertThatExceptionOfType(KeyringException.class).isThrownBy(() -> informed.check(retired, "second"));
        assertThatExceptionOfType(KeyringException.class).isThrownBy(() -> informed.open(file("a"), true));
        assertThatNoException().isThrownBy(() -> guard.check(retired, "by one who is not told of the table"));
    }

    @Test
    void constructorWhenEndpointsTableIsNoNameThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new KeyringGuard(database, RANDOM, Set.of("a; drop table b"), () -> false, keyring -> {}))
                .withMessageContaining("letter or _");
    }

    @RepeatedTest(5)
    void openWhenNodesStartAtOnceOnOneFileThenTheyAgree() throws Exception {
        List<Keyring> keyrings = InParallel.run(4, () -> guard.open(file("shared"), true));

        assertThat(keyrings).extracting(Keyring::checkValues).containsOnly(checks.findAll());
    }

    @RepeatedTest(5)
    void openWhenNodesStartOnOwnFilesThenOneKeyringIsLeft() throws Exception {
        List<Callable<Optional<Keyring>>> starts = new ArrayList<>();
        KeyringGuard oneOfFour = new KeyringGuard(database, RANDOM, Set.of(), () -> true, keyring -> {});
        for (int node = 0; node < 4; node++) {
            KeyringFile own = file("node-" + node);
            starts.add(() -> {
                try {
                    return Optional.of(oneOfFour.open(own, true));
                } catch (KeyringException e) {
                    return Optional.empty();
                }
            });
        }

        List<Optional<Keyring>> keyrings = InParallel.run(starts);

        assertThat(keyrings.stream().flatMap(Optional::stream))
                .singleElement()
                .returns(checks.findAll(), Keyring::checkValues);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    private void insertRow(String cell, String rowMac) {
        insertRow(cell, rowMac, "i1.i1.00");
    }

    private void insertRow(String cell, String rowMac, String ownerIdHash) {
        database.jdbc()
                .sql("CREATE TABLE IF NOT EXISTS _credential_api_keys (owner_id_hash TEXT, owner_id TEXT, scopes TEXT,"
                        + " metadata TEXT, details TEXT, row_mac TEXT)")
                .update();
        database.jdbc()
                .sql("INSERT INTO _credential_api_keys (owner_id_hash, owner_id, scopes, metadata, row_mac)"
                        + " VALUES (:ownerIdHash, :cell, :cell, :cell, :rowMac)")
                .param("ownerIdHash", ownerIdHash)
                .param("cell", cell)
                .param("rowMac", rowMac)
                .update();
    }

    private void insertEndpoint(String table, String cell) {
        database.jdbc()
                .sql("CREATE TABLE " + table + " (endpoint_id TEXT NOT NULL, secret TEXT NOT NULL,"
                        + " previous_secret TEXT, headers TEXT)")
                .update();
        database.jdbc()
                .sql("INSERT INTO " + table + " (endpoint_id, secret) VALUES ('shop', :cell)")
                .param("cell", cell)
                .update();
    }

    private KeyringFile file(String name) {
        return new KeyringFile(directory.resolve(name + ".json"), false);
    }

    private static Keyring keyring(String active, Map<String, SecretBytes> keys, int index) {
        return Keyring.of(active, keys, secret(index));
    }

    private static SecretBytes secret(int value) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) value;
        return SecretBytes.copyOf(bytes);
    }
}
