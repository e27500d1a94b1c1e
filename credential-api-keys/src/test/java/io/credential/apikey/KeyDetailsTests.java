package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Name and creator of a key, and what the audit trail says of changes. */
@BothDatabases
class KeyDetailsTests extends RegistryTestBase {

    KeyDetailsTests(TestDatabase database) {
        super(database);
    }

    @Test
    void issueWhenNamedThenEveryReadGivesNameAndCreator() {
        IssuedApiKey issued =
                registry.issue(IssueRequest.forOwner("user-42").name("laptop").metadata(Map.of("plan", "pro")));

        assertThat(issued.name()).isEqualTo("laptop");
        assertThat(List.of(
                        registry.verify(issued.key()).orElseThrow(),
                        registry.getById(issued.id()).orElseThrow(),
                        registry.listForOwner("user-42").get(0)))
                .allSatisfy(key -> {
                    assertThat(key.name()).isEqualTo("laptop");
                    assertThat(key.createdBy()).isEqualTo("tester");
                    assertThat(key.metadata()).isEqualTo(Map.of("plan", "pro"));
                });
    }

    @Test
    void issueThenNameAndCreatorAreSealed() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").name("laptop"));

        assertThat(fixture.stored(issued.id(), "details"))
                .startsWith("s1.")
                .doesNotContain("laptop")
                .doesNotContain("tester");
    }

    @Test
    void issueWhenNobodyActsThenThereIsNoCreator() {
        RegistryFixture anonymous = fixture.reopened(fixture.keyring, o -> o, builder -> builder.actor(() -> null));
        IssuedApiKey issued = anonymous.issue();

        assertThat(anonymous.stored(issued.id(), "details")).isNull();
        assertThat(registry.verify(issued.key())).hasValueSatisfying(key -> {
            assertThat(key.name()).isNull();
            assertThat(key.createdBy()).isNull();
        });
    }

    @Test
    void issueWhenTheActorIsLongThenItIsCut() {
        RegistryFixture verbose =
                fixture.reopened(fixture.keyring, o -> o, builder -> builder.actor(() -> "x".repeat(300)));

        assertThat(registry.getById(verbose.issue().id()))
                .hasValueSatisfying(key -> assertThat(key.createdBy()).hasSize(255));
    }

    @Test
    void updateWhenRenamedThenTheCreatorStays() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").name("laptop"));

        assertThat(registry.update(issued.id(), ApiKeyChanges.none().name("desktop"))
                        .name())
                .isEqualTo("desktop");
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().scopes("a"))
                        .name())
                .isEqualTo("desktop");
        ApiKey unnamed = registry.update(issued.id(), ApiKeyChanges.none().withoutName());
        assertThat(unnamed.name()).isNull();
        assertThat(unnamed.createdBy()).isEqualTo("tester");
        assertThat(unnamed.scopes()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\u0000b", "\ud800"})
    void nameWhenBlankOrUnprintableThenRefused(String name) {
        assertBadOpt(() -> IssueRequest.forOwner("user-42").name(name));
        assertBadOpt(() -> ApiKeyChanges.none().name(name));
    }

    @Test
    void nameWhenLongerThan128CharactersThenRefused() {
        assertThat(IssueRequest.forOwner("user-42").name("x".repeat(128)).name())
                .hasSize(128);
        assertBadOpt(() -> IssueRequest.forOwner("user-42").name("x".repeat(129)));
    }

    @Test
    void issueThenTheAuditTrailNamesScopesAndExpiry() {
        Instant expiresAt = fixture.clock.instant().plus(Duration.ofDays(1));

        registry.issue(IssueRequest.forOwner("user-42")
                .name("laptop")
                .scopes("read:orders", "write:orders")
                .metadata(Map.of("plan", "secret-plan"))
                .expiresAt(expiresAt));

        AuditEvent event = fixture.audit.get(0);
        assertThat(event.attributes())
                .containsEntry("scopesAdded", List.of("read:orders", "write:orders"))
                .containsEntry("expiresAt", expiresAt.toString())
                .containsEntry("named", true);
        assertThat(event.toString()).doesNotContain("secret-plan", "laptop", "user-42");
    }

    @Test
    void updateThenTheAuditTrailNamesWhatChanged() {
        IssuedApiKey issued = registry.issue(
                IssueRequest.forOwner("user-42").name("laptop").scopes("a", "b").metadata(Map.of("plan", "free")));
        Instant expiresAt = fixture.clock.instant().plus(Duration.ofDays(1));
        fixture.audit.clear();

        registry.update(
                issued.id(),
                ApiKeyChanges.none()
                        .name("desktop")
                        .scopes("b", "c")
                        .metadata(Map.of("plan", "secret-plan"))
                        .expiresAt(expiresAt));
        registry.update(issued.id(), ApiKeyChanges.none());

        assertThat(fixture.audit.get(0).attributes())
                .isEqualTo(Map.of(
                        "scopesAdded",
                        List.of("c"),
                        "scopesRemoved",
                        List.of("a"),
                        "expiresAtBefore",
                        "never",
                        "expiresAt",
                        expiresAt.toString(),
                        "nameChanged",
                        true,
                        "metadataChanged",
                        true,
                        "version",
                        2L));
        assertThat(fixture.audit.get(0).toString()).doesNotContain("secret-plan", "desktop", "laptop");
        assertThat(fixture.audit.get(1).attributes())
                .isEqualTo(Map.of(
                        "scopesAdded",
                        List.of(),
                        "scopesRemoved",
                        List.of(),
                        "nameChanged",
                        false,
                        "metadataChanged",
                        false,
                        "version",
                        3L));
    }

    private static void assertBadOpt(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }
}
