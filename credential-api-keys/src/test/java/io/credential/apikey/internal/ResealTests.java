package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.seal.ResealResult;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.PlainCells;
import io.credential.secret.SecretBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class ResealTests {

    private final TestDatabase database;
    private final SecretBytes k1 = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final SecretBytes k2 = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final SecretBytes index = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final SecretBytes newIndex = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final Keyring before = Keyring.of("k1", Map.of("k1", k1), index);
    private final Keyring during = Keyring.of("k2", Map.of("k1", k1, "k2", k2), index);
    private final Keyring after = Keyring.of("k2", Map.of("k2", k2), index);
    private RegistryFixture fixture;
    private IssuedApiKey issued;

    ResealTests(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void rowsUnderTheFirstKey() {
        fixture = RegistryFixture.with(database.migrate(JdbcApiKeyRegistries.SCHEMA), before);
        issued = fixture.registry.issue(
                IssueRequest.forOwner("user-42").scopes("read:orders").metadata(Map.of("plan", "pro")));
    }

    @Test
    void resealWhenRowsAreCurrentThenLeftAlone() {
        String cell = fixture.stored(issued.id(), "owner_id");

        assertThat(fixture.registry.resealSealedColumns()).isEqualTo(new ResealResult(1, 0));
        assertThat(fixture.stored(issued.id(), "owner_id")).isEqualTo(cell);
    }

    @Test
    void resealWhenKeyIsNewThenOldOneCanBeTakenAway() {
        IntStream.range(0, 450).forEach(i -> fixture.issue());
        RegistryFixture moving = fixture.reopened(during, o -> o, b -> b);

        assertThat(moving.registry.verify(issued.key())).as("before the move").isPresent();
        assertThat(moving.registry.resealSealedColumns()).isEqualTo(new ResealResult(451, 451));
        assertThat(moving.registry.resealSealedColumns()).as("a second time").isEqualTo(new ResealResult(451, 0));

        RegistryFixture moved = fixture.reopened(after, o -> o, b -> b);
        assertThat(moved.registry.verify(issued.key())).hasValueSatisfying(key -> {
            assertThat(key.ownerId()).isEqualTo("user-42");
            assertThat(key.metadata()).isEqualTo(Map.of("plan", "pro"));
        });
        assertThat(moved.registry.listForOwner("user-42")).hasSize(451);
        assertThat(moving.trail()).contains("apikey.reseal success");
    }

    @Test
    void resealWhenIndexKeyIsNewThenOwnerIndexMovesToIt() {
        Map<String, SecretBytes> keys = Map.of("k1", k1);
        Keyring moving = Keyring.of("k1", keys, "i2", Map.of("i1", index, "i2", newIndex));
        Keyring moved = Keyring.of("k1", keys, "i2", Map.of("i2", newIndex));
        RegistryFixture registry = fixture.reopened(moving, o -> o, b -> b);
        registry.registry.issue(IssueRequest.forOwner("user-42"));
        assertThat(registry.registry.listForOwner("user-42")).as("under both").hasSize(2);

        assertThat(registry.registry.resealSealedColumns()).isEqualTo(new ResealResult(2, 1));

        assertThat(registry.registry.resealSealedColumns()).as("a second time").isEqualTo(new ResealResult(2, 0));
        assertThat(fixture.stored(issued.id(), "owner_id_hash")).startsWith("i1.i2.");
        assertThat(fixture.reopened(moved, o -> o, b -> b).registry.listForOwner("user-42"))
                .hasSize(2);
    }

    @Test
    void listWhenUnderTwoIndexKeysThenPagesAreInOrder() {
        Keyring moving = Keyring.of("k1", Map.of("k1", k1), "i2", Map.of("i1", index, "i2", newIndex));
        RegistryFixture registry = fixture.reopened(moving, o -> o, b -> b);
        IntStream.range(0, 4).forEach(i -> {
            registry.registry.issue(IssueRequest.forOwner("user-42"));
            fixture.registry.issue(IssueRequest.forOwner("user-42"));
        });
        List<ApiKey> all = registry.registry.listForOwner("user-42");

        ApiKeyPage first =
                registry.registry.listForOwner("user-42", ListOptions.defaults().withLimit(5));
        ApiKeyPage second = registry.registry.listForOwner(
                "user-42", ListOptions.defaults().withLimit(5).after(Objects.requireNonNull(first.nextCursor())));

        assertThat(all).hasSize(9);
        assertThat(Stream.concat(first.keys().stream(), second.keys().stream())).containsExactlyElementsOf(all);
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void resealWhenRevokedThenKeyStaysRevoked() {
        fixture.registry.revoke(issued.id());
        RegistryFixture moving = fixture.reopened(during, o -> o, b -> b);

        moving.registry.resealSealedColumns();

        assertThat(moving.registry.verify(issued.key())).isEmpty();
        assertThat(moving.trail()).endsWith("apikey.verify failure revoked");
    }

    @Test
    void resealThenAnotherNamespaceIsLeftAlone() {
        RegistryFixture other = RegistryFixture.with(database.migrate(JdbcApiKeyRegistries.SCHEMA), during);

        assertThat(other.registry.resealSealedColumns()).isEqualTo(new ResealResult(0, 0));
        assertThat(fixture.stored(issued.id(), "row_mac")).startsWith("m1.k1.");
    }

    @Test
    void resealWhenPlainAndWindowIsClosedThenWritesNothing() {
        IssuedApiKey sound = fixture.issue();
        makePlain(issued.id());
        RegistryFixture moving = fixture.reopened(during, o -> o, b -> b);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(moving.registry::resealSealedColumns)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/reseal-window-closed"))
                .withMessageContainingAll("_credential_api_keys.owner_id", issued.id(), "allow-plain-migration");
        assertThat(fixture.stored(sound.id(), "row_mac")).startsWith("m1.k1.");
        assertThat(fixture.stored(issued.id(), "owner_id")).startsWith("s0.");
        assertThat(moving.registry.verify(issued.key()))
                .as("a plain cell is refused on read")
                .isEmpty();
    }

    @Test
    void resealWhenPlainAndWindowIsOpenThenMigrates() {
        makePlain(issued.id());
        RegistryFixture window = fixture.reopened(before, o -> o, b -> b.allowPlainSealMigration(true));
        assertThat(window.registry.verify(issued.key()))
                .as("not even inside the window")
                .isEmpty();
        assertUnreadable(() -> window.registry.getById(issued.id()));
        assertThat(window.registry.listForOwner("user-42")).isEmpty();

        assertThat(window.registry.resealSealedColumns()).isEqualTo(new ResealResult(1, 1));

        assertThat(List.of("owner_id", "scopes", "metadata"))
                .allSatisfy(column ->
                        assertThat(fixture.stored(issued.id(), column)).startsWith("s1.k1."));
        assertThat(fixture.registry.verify(issued.key()))
                .as("with the window closed again")
                .isPresent();
    }

    @Test
    void resealWhenBoundRowHasNoMacThenRefusedInWindowToo() {
        fixture.tamper(issued.id(), "row_mac = null");
        RegistryFixture window = fixture.reopened(before, o -> o, b -> b.allowPlainSealMigration(true));

        assertThat(window.registry.verify(issued.key())).isEmpty();
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(window.registry::resealSealedColumns)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unreadable-row"));
        assertThat(fixture.stored(issued.id(), "row_mac")).isNull();
    }

    @Test
    void resealWhenRevokedAfterReadThenNotWrittenOver() {
        makePlain(issued.id());
        RegistryFixture window = fixture.reopened(before, o -> o, b -> b.allowPlainSealMigration(true));
        JdbcApiKeyStore store = TestStores.of(fixture.database, fixture.namespace);
        ApiKeyRow read = store.find(issued.id()).orElseThrow();

        window.registry.revoke(issued.id());

        assertThat(store.replace(read.withRowMac("m1.k1.any"), read)).isFalse();
        window.registry.resealSealedColumns();
        assertThat(window.registry.verify(issued.key())).isEmpty();
        assertThat(window.trail()).endsWith("apikey.verify failure revoked");
    }

    @Test
    void changeWhenRowIsPlainThenGivesItNoMac() {
        makePlain(issued.id());
        RegistryFixture window = fixture.reopened(before, o -> o, b -> b.allowPlainSealMigration(true));

        assertUnreadable(() -> window.registry.rotate(issued.id(), Rotation.graceful()));
        assertUnreadable(() -> window.registry.disable(issued.id()));
        assertThat(window.registry.revoke(issued.id())).isTrue();
        assertThat(fixture.stored(issued.id(), "row_mac")).isNull();
    }

    @Test
    void resealWhenCellsKeyIsMissingThenRefused() {
        RegistryFixture without = fixture.reopened(after, o -> o, b -> b);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(without.registry::resealSealedColumns)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unreadable-row"))
                .withMessageContainingAll("owner_id", issued.id(), "the keyring lacks");
        assertThat(fixture.registry.verify(issued.key())).isPresent();
    }

    @Test
    void resealWhenSomeCellsArePlainAndNoMacThenRefused() {
        makePlain(issued.id());
        String bound = fixture.stored(fixture.issue().id(), "scopes");
        fixture.tamper(issued.id(), "scopes = '" + bound + "'");
        RegistryFixture window = fixture.reopened(before, o -> o, b -> b.allowPlainSealMigration(true));

        assertUnreadable(window.registry::resealSealedColumns);
        assertThat(fixture.stored(issued.id(), "row_mac")).isNull();
    }

    private static void assertUnreadable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unreadable-row"));
    }

    /** Turns a row into what was written before cells were bound and rows had a MAC. */
    private void makePlain(String id) {
        fixture.tamper(
                id,
                "owner_id = '" + plain("user-42") + "', scopes = '" + plain("[\"read:orders\"]") + "', metadata = '"
                        + plain("{}") + "', row_mac = null");
    }

    private String plain(String text) {
        return PlainCells.seal(before, text.getBytes(StandardCharsets.UTF_8), RegistryFixture.RANDOM);
    }
}
