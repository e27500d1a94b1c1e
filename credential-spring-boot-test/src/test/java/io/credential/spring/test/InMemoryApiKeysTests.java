package io.credential.spring.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.Rotation;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** How the registries are assembled; the contracts of the core test their functions. */
class InMemoryApiKeysTests {

    @Test
    void createThenKeysWorkAndAreApart() {
        try (InMemoryApiKeys keys = InMemoryApiKeys.create();
                InMemoryApiKeys others = InMemoryApiKeys.create()) {
            ApiKeyRegistry registry = keys.registry();
            IssuedApiKey issued = registry.issue(IssueRequest.forOwner("shop-7").scopes("orders:read"));

            assertThat(issued.key()).startsWith("bk_live_");
            assertThat(registry.verify(issued.key()))
                    .hasValueSatisfying(key -> assertThat(key.scopes()).containsExactly("orders:read"));
            assertThat(others.registry().verify(issued.key())).isEmpty();

            registry.rotate(issued.id(), Rotation.immediate());
            assertThat(registry.verify(issued.key())).isEmpty();
        }
    }

    @Test
    void clockWhenMovedThenKeysExpire() {
        MutableClock clock = MutableClock.atNewYear();
        try (InMemoryApiKeys keys = InMemoryApiKeys.builder().clock(clock).build()) {
            String token = keys.registry()
                    .issue(IssueRequest.forOwner("shop-7")
                            .expiresAt(clock.instant().plus(Duration.ofDays(1))))
                    .key();
            assertThat(keys.registry().verify(token)).isPresent();

            clock.advance(Duration.ofDays(1));
            assertThat(keys.registry().verify(token)).isEmpty();
        }
    }

    @Test
    void registryWhenThereAreSeveralThenMustBeNamed() {
        List<String> audited = new CopyOnWriteArrayList<>();
        try (InMemoryApiKeys keys = InMemoryApiKeys.builder()
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .registry(ApiKeyRegistryOptions.forNamespace("test").withPrefix("sk"))
                .auditSink(event -> audited.add(event.name()))
                .build()) {
            String token = keys.registries()
                    .get("test")
                    .issue(IssueRequest.forOwner("shop-7"))
                    .key();

            assertThat(keys.registries().forToken(token))
                    .contains(keys.registries().get("test"));
            assertThat(audited).containsExactly("apikey.issue");
            assertThatIllegalStateException().isThrownBy(keys::registry);
        }
    }

    @Test
    void buildWhenNamespaceIsRepeatedThenFails() {
        InMemoryApiKeys.Builder builder = InMemoryApiKeys.builder()
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .registry(ApiKeyRegistryOptions.forNamespace("live"));

        assertThatExceptionOfType(ApiKeyException.class).isThrownBy(builder::build);
    }

    @Test
    void databaseWhenClosedThenIsDeleted() {
        TemporaryDatabase temporary = new TemporaryDatabase();
        temporary.migrated(SchemaScripts.CORE);
        assertThat(temporary.file()).exists();

        temporary.close();

        assertThat(temporary.file().getParent()).doesNotExist();
    }
}
