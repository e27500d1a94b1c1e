package io.credential.apikey;

import java.time.Duration;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class DisableTests extends RegistryTestBase {

    private final IssuedApiKey issued;

    DisableTests(TestDatabase database) {
        super(database);
        this.issued = fixture.issue();
    }

    @Test
    void disableWhenActiveThenVerifyRejectsAsDisabled() {
        assertThat(registry.disable(issued.id())).isTrue();

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.disable success", "apikey.verify failure disabled");
        assertThat(registry.getById(issued.id()))
                .hasValueSatisfying(key -> assertThat(key.disabledAt()).isEqualTo(fixture.clock.instant()));
        assertThat(registry.listForOwner("user-42")).extracting(ApiKey::id).containsExactly(issued.id());
    }

    @Test
    void disableWhenRotatedGracefullyThenBothSecretsStop() {
        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful());

        registry.disable(issued.id());

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(registry.verify(rotated.key())).isEmpty();
    }

    @Test
    void enableWhenDisabledThenTheSameTokenWorksAgain() {
        registry.disable(issued.id());

        assertThat(registry.enable(issued.id())).isTrue();

        assertThat(registry.verify(issued.key()))
                .hasValueSatisfying(key -> assertThat(key.disabledAt()).isNull());
    }

    @Test
    void disableAndEnableWhenRepeatedThenFalse() {
        assertThat(registry.enable(issued.id())).isFalse();
        assertThat(registry.disable(issued.id())).isTrue();
        String since = fixture.stored(issued.id(), "disabled_at");
        fixture.clock.advance(Duration.ofMinutes(1));

        assertThat(registry.disable(issued.id())).isFalse();

        assertThat(fixture.stored(issued.id(), "disabled_at")).isEqualTo(since);
        assertThat(fixture.audit)
                .last()
                .satisfies(event -> assertThat(event.attributes()).isEqualTo(Map.of("effective", false)));
    }

    @Test
    void disableWhenUnknownOrRevokedThenRefusedByCode() {
        assertRefused(() -> registry.disable("0123456789abcdef"), "api-key/not-found");
        assertRefused(() -> registry.enable("no id"), "api-key/not-found");
        registry.revoke(issued.id());
        assertRefused(() -> registry.disable(issued.id()), "api-key/revoked");
        assertRefused(() -> registry.enable(issued.id()), "api-key/revoked");
    }

    @Test
    void verifyWhenDisabledAndSecretIsWrongThenBadSecret() {
        registry.disable(issued.id());
        String wrong = issued.key().substring(0, issued.key().lastIndexOf('_') + 1) + "00".repeat(16);

        assertThat(registry.verify(wrong)).isEmpty();

        assertThat(fixture.trail()).endsWith("apikey.verify failure bad-secret");
    }

    @Test
    void otherChangesWhenDisabledThenTheKeyStaysDisabled() {
        registry.disable(issued.id());

        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful());
        registry.update(issued.id(), ApiKeyChanges.none().name("laptop"));
        registry.resealSealedColumns();

        assertThat(registry.verify(rotated.key())).isEmpty();
        assertThat(registry.verify(issued.key())).isEmpty();
    }

    private static void assertRefused(ThrowingCallable call, String code) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
