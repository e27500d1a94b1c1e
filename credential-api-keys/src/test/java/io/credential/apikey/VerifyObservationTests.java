package io.credential.apikey;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.micrometer.observation.ObservationRegistry;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.testing.BrokenHandler;
import io.credential.testing.DatabaseKind;
import io.credential.testing.RecordedObservations;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Observations of token verifications. */
class VerifyObservationTests {

    private static final String NAME = "credential.apikey.verify";

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    private final RecordedObservations observations = new RecordedObservations();

    @Test
    void verifyWhenAcceptedThenNamespaceAndOutcome() {
        RegistryFixture fixture = fixture();

        fixture.registry.verify(fixture.issue().key());

        assertThat(observations.tags(NAME)).containsExactly(tags(fixture.namespace, "accepted", "none"));
    }

    @Test
    void verifyWhenRejectedThenReasonIsThatOfTheAudit() {
        RegistryFixture fixture = fixture();
        IssuedApiKey revoked = fixture.issue();
        fixture.registry.revoke(revoked.id());

        fixture.registry.verify(revoked.key());
        fixture.registry.verify("nonsense");
        fixture.registry.verify(wrongSecret(fixture.issue().key()));
        fixture.registry.verify("bk_" + fixture.namespace + "_0123456789abcdef_" + "0".repeat(32));

        assertThat(observations.tags(NAME))
                .extracting(tags -> tags.get("reason"))
                .containsExactly("revoked", "malformed", "bad-secret", "unknown");
        assertThat(fixture.audit)
                .filteredOn(event -> event.name().equals("apikey.verify"))
                .extracting(event -> event.reason())
                .containsExactly("revoked", "malformed", "bad-secret", "unknown");
    }

    @Test
    void verifyThenNoValueHasAnythingOfTheToken() {
        RegistryFixture fixture = fixture();
        IssuedApiKey issued = fixture.issue();

        fixture.registry.verify(issued.key());
        fixture.registries.forToken("xx_unknown_0123456789abcdef_" + "0".repeat(32));

        assertThat(observations.values())
                .isNotEmpty()
                .allSatisfy(value -> assertThat(value)
                        .doesNotContain(issued.id())
                        .doesNotContain("0123456789abcdef")
                        .doesNotContain("unknown_"));
    }

    @Test
    void forTokenWhenNoRegistryHasItThenNamespaceIsNone() {
        RegistryFixture fixture = fixture();

        fixture.registries.forToken("xx_other_0123456789abcdef_" + "0".repeat(32));
        fixture.registries.forToken("nonsense");

        assertThat(observations.tags(NAME))
                .isEqualTo(
                        List.of(tags("none", "rejected", "foreign-namespace"), tags("none", "rejected", "malformed")));
    }

    @Test
    void verifyWhenTheDatabaseFailsThenError() {
        RegistryFixture fixture = fixture();
        String token = fixture.issue().key();
        fixture.jdbc().sql("ALTER TABLE _credential_api_keys RENAME TO gone").update();

        assertThatExceptionOfType(ApiKeyException.class).isThrownBy(() -> fixture.registry.verify(token));

        assertThat(observations.tags(NAME))
                .singleElement()
                .satisfies(tags ->
                        assertThat(tags).containsEntry("outcome", "error").containsEntry("reason", "unavailable"));
    }

    @Test
    void verifyWhenItFailsUnexpectedlyThenError() {
        AtomicBoolean broken = new AtomicBoolean();
        RegistryFixture fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.observationRegistry(observations.registry()).clock(() -> {
                    if (broken.get()) {
                        throw new IllegalStateException("the clock is broken");
                    }
                    return Instant.EPOCH;
                }));
        String token = fixture.issue().key();
        broken.set(true);

        assertThatIllegalStateException().isThrownBy(() -> fixture.registry.verify(token));

        assertThat(observations.tags(NAME)).containsExactly(tags(fixture.namespace, "error", "unexpected"));
    }

    @ParameterizedTest
    @EnumSource
    void verifyWhenAHandlerFailsThenSameOutcome(BrokenHandler.Moment moment) {
        observations.registry().observationConfig().observationHandler(new BrokenHandler(moment));
        RegistryFixture fixture = fixture();

        assertThat(fixture.registry.verify(fixture.issue().key())).isPresent();
        assertThat(fixture.registry.verify("nonsense")).isEmpty();
        assertThat(fixture.registries.forToken("nonsense")).isEmpty();
    }

    @Test
    void verifyWhenNothingObservesThenAccepted() {
        RegistryFixture fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.observationRegistry(ObservationRegistry.create()));

        assertThat(fixture.registry.verify(fixture.issue().key())).isPresent();
    }

    private RegistryFixture fixture() {
        return RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.observationRegistry(observations.registry()));
    }

    private static Map<String, String> tags(String namespace, String outcome, String reason) {
        return Map.of("namespace", namespace, "outcome", outcome, "reason", reason);
    }

    private static String wrongSecret(String token) {
        return token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0");
    }
}
