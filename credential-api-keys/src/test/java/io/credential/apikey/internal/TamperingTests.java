package io.credential.apikey.internal;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RegistryTestBase;
import io.credential.apikey.Rotation;
import io.credential.seal.internal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.Argon2Settings;
import io.credential.secret.internal.SecretHashers;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whoever can write the database without the keyring gains nothing. */
@BothDatabases
class TamperingTests extends RegistryTestBase {

    private final IssuedApiKey victim;
    private final IssuedApiKey other;

    TamperingTests(TestDatabase database) {
        super(database);
        this.victim = fixture.issue();
        this.other = registry.issue(IssueRequest.forOwner("admin").scopes("admin"));
        // What a row contained is remembered, but for exactly that row.
        assertThat(registry.verify(victim.key())).isPresent();
        assertThat(registry.verify(other.key())).isPresent();
    }

    /** Each value a set clause; {@code OTHER.x} stands for column x of the other row. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret_hash = OTHER.secret_hash",
                "secret_hash = 'shake256$00'",
                "secondary_secret_hash = OTHER.secret_hash, secondary_expires_at = 99999999999999",
                "scopes = OTHER.scopes",
                "scopes = metadata",
                "owner_id = OTHER.owner_id",
                "owner_id = OTHER.owner_id, owner_id_hash = OTHER.owner_id_hash",
                "owner_id_hash = OTHER.owner_id_hash",
                "metadata = scopes",
                "metadata = OTHER.metadata",
                "details = null",
                "details = metadata",
                "details = OTHER.details",
                "disabled_at = 1",
                "created_at = created_at - 1",
                "expires_at = 99999999999999",
                "prefix = 'sk'",
                "version = version + 1",
                "row_mac = OTHER.row_mac",
                "row_mac = null",
                "row_mac = ''",
                "row_mac = 'm1.k1.00'",
                "row_mac = 'nonsense'",
            })
    void rowWhenEditedThenNeitherVerifiesNorIsLaundered(String set) {
        fixture.tamper(victim.id(), resolved(set));

        assertRefusedEverywhere();
    }

    @Test
    void verifyWhenRevocationWasClearedThenKeyStaysRefused() {
        registry.revoke(victim.id());
        assertThat(registry.verify(victim.key())).isEmpty();
        fixture.tamper(victim.id(), "revoked_at = null");

        assertRefusedEverywhere();
    }

    @Test
    void enableWhenDisabledTimeWasClearedThenStaysRefused() {
        registry.disable(victim.id());
        fixture.tamper(victim.id(), "disabled_at = null");

        assertRefusedEverywhere();
        assertUnreadable(() -> registry.enable(victim.id()));
    }

    @Test
    void verifyWhenRowIsCopiedToAnotherIdThenRejected() {
        fixture.tamper(
                other.id(),
                resolved(
                        "secret_hash = OTHER.secret_hash, owner_id = OTHER.owner_id, scopes = OTHER.scopes,"
                                + " metadata = OTHER.metadata, details = OTHER.details, owner_id_hash = OTHER.owner_id_hash, row_mac = OTHER.row_mac",
                        victim.id()));
        String token = victim.key().replace(victim.id(), other.id());

        assertThat(registry.verify(token)).isEmpty();
        assertThat(registry.verify(other.key())).isEmpty();
    }

    @Test
    void listForOwnerWhenRowIsEditedThenLeftOutAndAudited() {
        IssuedApiKey sound = fixture.issue();
        fixture.tamper(victim.id(), resolved("scopes = OTHER.scopes"));

        assertThat(registry.listForOwner("user-42")).extracting(ApiKey::id).containsExactly(sound.id());
        assertThat(fixture.audit).anySatisfy(event -> {
            assertThat(event.name()).isEqualTo("apikey.list");
            assertThat(event.reason()).isEqualTo("integrity");
            assertThat(event.resourceId()).isEqualTo(victim.id());
        });
    }

    @Test
    void listWhenMacNamesUnknownKeyThenLeftOutAndAudited() {
        fixture.tamper(victim.id(), "row_mac = 'm1.x." + "0".repeat(64) + "'");
        fixture.audit.clear();

        assertThat(registry.list(ListOptions.defaults()).keys())
                .extracting(ApiKey::id)
                .containsExactly(other.id());
        assertThat(fixture.trail()).containsExactly("apikey.list failure integrity", "apikey.list success");
    }

    /** Each sorts before the other row. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "created_at = 1234567890123456789",
                "created_at = created_at + 1, id = 'NOT HEX'",
                "created_at = created_at + 1, id = row_mac || row_mac || 'é'",
                "created_at = created_at + 1, id = ''",
            })
    void listWhenPageEndsWithForgedRowThenOthersFollow(String set) {
        fixture.tamper(victim.id(), set);

        ApiKeyPage first = registry.list(ListOptions.defaults().withLimit(1));
        String cursor = Objects.requireNonNull(first.nextCursor());
        ApiKeyPage second = registry.list(ListOptions.defaults().withLimit(1).after(cursor));

        assertThat(first.keys()).isEmpty();
        assertThat(second.keys()).extracting(ApiKey::id).containsExactly(other.id());
    }

    @Test
    void listWhenRowStaysForgedThenAuditedOnceADay() {
        fixture.tamper(victim.id(), "scopes = metadata");
        fixture.audit.clear();

        registry.list(ListOptions.defaults());
        registry.list(ListOptions.defaults());
        assertThat(fixture.trail()).containsOnlyOnce("apikey.list failure integrity");
        fixture.clock.advance(Duration.ofDays(1));
        registry.list(ListOptions.defaults());

        assertThat(fixture.trail())
                .filteredOn("apikey.list failure integrity"::equals)
                .hasSize(2);
    }

    @Test
    void revokeWhenRowIsEditedThenDoneAndStaysUnauthentic() {
        fixture.tamper(victim.id(), resolved("scopes = OTHER.scopes"));
        String mac = fixture.stored(victim.id(), "row_mac");

        assertThat(registry.revoke(victim.id())).isTrue();

        assertThat(fixture.stored(victim.id(), "row_mac")).isEqualTo(mac);
        assertThat(fixture.stored(victim.id(), "revoked_at")).isNotNull();
        assertThat(registry.verify(victim.key())).isEmpty();
    }

    @Test
    void revokeWhenRevocationIsForgedThenRedoneAndReported() {
        fixture.tamper(victim.id(), "revoked_at = 1");
        fixture.audit.clear();

        assertThat(registry.revoke(victim.id())).isTrue();

        assertThat(fixture.trail()).containsExactly("apikey.revoke failure integrity", "apikey.revoke success");
        assertThat(fixture.stored(victim.id(), "revoked_at"))
                .isEqualTo(Long.toString(fixture.clock.instant().toEpochMilli()));
    }

    @Test
    void verifyWhenAttackerWroteTheHashThenRejected() {
        // The attacker knows the algorithm, and so can compute the right hash for a secret of his own.
        byte[] input = TokenForm.hashInput(new ApiKeyToken("bk", fixture.namespace, victim.id(), "00".repeat(16)))
                .toByteArray();
        String hash = new SecretHashers(Argon2Settings.defaults(), RegistryFixture.RANDOM)
                .using(HashAlgorithm.SHAKE256)
                .hash(input);
        fixture.tamper(victim.id(), "secret_hash = '" + hash + "'");

        assertThat(registry.verify("bk_" + fixture.namespace + "_" + victim.id() + "_" + "00".repeat(16)))
                .isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure integrity");
    }

    @Test
    void verifyWhenKeyringLacksTheKeyThenUnavailable() {
        RegistryFixture elsewhere = fixture.reopened(renamed(), options -> options, builder -> builder);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> elsewhere.registry.verify(victim.key()))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unavailable"))
                .withMessageContaining("add that key to the keyring");
    }

    private void assertRefusedEverywhere() {
        fixture.audit.clear();
        assertThat(registry.verify(victim.key())).isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.verify failure integrity");
        assertThat(fixture.audit.get(0).resourceId()).isEqualTo(victim.id());

        Map<String, @Nullable Object> before = wholeRow();
        assertUnreadable(() -> registry.rotate(victim.id(), Rotation.graceful()));
        assertUnreadable(() -> registry.update(victim.id(), ApiKeyChanges.none().scopes("other")));
        assertUnreadable(() -> registry.getById(victim.id()));
        assertUnreadable(registry::resealSealedColumns);
        assertThat(wholeRow()).isEqualTo(before);
        assertThat(registry.verify(victim.key())).isEmpty();
    }

    private void assertUnreadable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        fixture.audit.clear();
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unreadable-row"))
                .withMessageContaining(victim.id());
        assertThat(fixture.audit).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("integrity");
            assertThat(event.resourceId()).isEqualTo(victim.id());
        });
    }

    private Map<String, @Nullable Object> wholeRow() {
        Map<String, @Nullable Object> row = fixture.row(victim.id());
        row.remove("last_used_at");
        return row;
    }

    private String resolved(String set) {
        return resolved(set, other.id());
    }

    private String resolved(String set, String source) {
        return set.replaceAll(
                "OTHER\\.(\\w+)",
                "(select o.$1 from _credential_api_keys o where o.namespace = '" + fixture.namespace + "' and o.id = '"
                        + source + "')");
    }

    /** A keyring that knows no key of the fixture's. */
    private static Keyring renamed() {
        return Keyring.of(
                "k9",
                java.util.Map.of("k9", SecretBytes.random(32, RegistryFixture.RANDOM)),
                SecretBytes.random(32, RegistryFixture.RANDOM));
    }
}
