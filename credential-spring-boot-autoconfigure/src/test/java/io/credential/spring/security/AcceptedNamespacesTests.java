package io.credential.spring.security;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.audit.AuditSink;
import io.credential.ratelimit.RateLimiter;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.spring.security.internal.KeySources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AcceptedNamespacesTests {

    private static ApiKeySecuritySettings settings(String... accept) {
        return settings(List.of(accept), Set.of());
    }

    private static ApiKeySecuritySettings settings(List<String> accept, Set<String> configured) {
        return new ApiKeySecuritySettings(
                new KeySources(List.of("X-API-Key"), false, null),
                "ticket",
                accept,
                configured,
                Set.of(),
                true,
                false,
                InstantSource.system(),
                AuditSink.none(),
                () -> RateLimiter.inMemory(InstantSource.system()),
                null,
                UsageRecorder.NONE,
                report -> {});
    }

    @Test
    void ofWhenOneRegistryExistsThenAcceptedUnnamed() {
        assertThat(AcceptedNamespaces.of(List.of(), settings(), new FakeRegistries("live")))
                .containsExactly("live");
    }

    @Test
    void ofWhenSeveralRegistriesExistThenPropertyDecides() {
        assertThat(AcceptedNamespaces.of(List.of(), settings("test"), new FakeRegistries("live", "test")))
                .containsExactly("test");
    }

    @Test
    void ofWhenChainAndPropertyDifferThenChainWins() {
        assertThat(AcceptedNamespaces.of(List.of("live"), settings("test"), new FakeRegistries("live", "test")))
                .containsExactly("live");
    }

    @Test
    void ofWhenNoneOfSeveralIsNamedThenRefused() {
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> AcceptedNamespaces.of(List.of(), settings(), new FakeRegistries("live", "test")))
                .satisfies(refused -> {
                    assertThat(refused.getName()).isEqualTo("credential.api-keys.accept");
                    assertThat(refused.getReason()).contains("live, test").contains("registries(..)");
                });
    }

    @Test
    void ofWhenPropertyNamesUnknownRegistryThenRefused() {
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> AcceptedNamespaces.of(List.of(), settings("liev"), new FakeRegistries("live")))
                .satisfies(refused -> assertThat(refused.getReason()).contains("'liev'"));
    }

    @Test
    void ofWhenChainNamesUnknownRegistryThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AcceptedNamespaces.of(List.of("liev"), settings(), new FakeRegistries("live")))
                .withMessageContaining("credential.api-keys.registries.liev.prefix");
    }

    @Test
    void ofWhenNoRegistryExistsThenRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AcceptedNamespaces.of(List.of(), settings(), new FakeRegistries()))
                .withMessageContaining("credential.api-keys.registries");
    }

    @Test
    void ofWhenRegistriesAreMockedThenConfiguredNames() {
        ApiKeySecuritySettings configured = settings(List.of(), Set.of("live"));

        assertThat(AcceptedNamespaces.of(List.of(), configured, new FakeRegistries()))
                .containsExactly("live");
    }
}
