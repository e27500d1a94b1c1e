package io.credential.spring.security;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.security.core.authority.FactorGrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

import io.credential.apikey.ApiKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ApiKeyAuthenticationTests {

    private final ApiKey key = FakeRegistries.key("live", "orders:read");
    private final ApiKeyAuthentication authentication = new ApiKeyAuthentication(
            key,
            List.of(
                    new SimpleGrantedAuthority("SCOPE_orders:read"),
                    FactorGrantedAuthority.withAuthority(ApiKeyAuthentication.FACTOR_AUTHORITY)
                            .issuedAt(Instant.EPOCH)
                            .build()));

    @Test
    void principalThenIsTheKeyAndNameItsOwner() {
        assertThat(authentication.getPrincipal()).isEqualTo(key);
        assertThat(authentication.getName()).isEqualTo("owner-1");
        assertThat(authentication.getCredentials()).isNull();
        assertThat(authentication.isAuthenticated()).isTrue();
    }

    @Test
    void toBuilderWhenNothingIsChangedThenEqual() {
        authentication.setDetails("10.0.0.1");

        assertThat(authentication.toBuilder().build()).isEqualTo(authentication).hasSameHashCodeAs(authentication);
        assertThat(authentication.toBuilder().build().getDetails()).isEqualTo("10.0.0.1");
    }

    @Test
    void toBuilderWhenAuthoritiesAreAddedThenInTheCopyOnly() {
        ApiKeyAuthentication changed = authentication.toBuilder()
                .authorities(all -> all.add(new SimpleGrantedAuthority("ROLE_X")))
                .build();

        assertThat(changed.getAuthorities()).hasSize(3);
        assertThat(changed.getPrincipal()).isEqualTo(key);
        assertThat(authentication.getAuthorities()).hasSize(2);
    }

    @Test
    void toBuilderThenTakesKeyAsPrincipalAndNoCredentials() {
        ApiKey other = FakeRegistries.key("test");

        assertThat(authentication.toBuilder().principal(other).build().getPrincipal())
                .isEqualTo(other);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> authentication.toBuilder().principal("somebody"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> authentication.toBuilder().credentials("secret"));
    }

    @Test
    void serializationThenKeepsTheAuthentication() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(authentication);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(authentication);
        }
    }

    @Test
    void toStringThenShowsNothingThatIsSealedAtRest() {
        assertThat(authentication.toString())
                .contains(key.id())
                .doesNotContain("owner-1")
                .doesNotContain("gold");
    }

    @Test
    void presentedTokenThenIsNotShownAndCanBeErased() {
        PresentedApiKey presented = new PresentedApiKey(FakeRegistries.token("live"), "10.0.0.1");

        assertThat(presented.isAuthenticated()).isFalse();
        assertThat(presented.getCredentials()).isEqualTo(FakeRegistries.token("live"));
        assertThat(presented.toString()).doesNotContain("bk_live");
        assertThat(presented.getName()).isEqualTo("api-key");

        presented.eraseCredentials();
        assertThat(presented.getCredentials()).isNull();
    }

    @Test
    void hasScopeWhenWildcardsAreOffThenOnlyEqualScopes() {
        ApiKeyAuthentication literal =
                ApiKeyAuthentication.of(FakeRegistries.key("live", "*", "orders:*"), Instant.EPOCH);

        assertThat(literal.hasScope("orders:*")).isTrue();
        assertThat(literal.hasScope("orders:read")).isFalse();
        assertThat(authentication.hasScope("orders:read")).isTrue();
        assertThat(authentication.hasScope("orders:write")).isFalse();
    }

    @Test
    void hasScopeWhenWildcardsAreEnabledThenGranted() {
        ApiKeyAuthentication wild =
                ApiKeyAuthentication.of(FakeRegistries.key("live", "orders:*"), Instant.EPOCH, true);

        assertThat(wild.hasScope("orders:read")).isTrue();
        assertThat(wild.hasScope("orders")).isFalse();
        assertThat(wild.hasScope("stock:read")).isFalse();
        assertThat(wild.toBuilder().build().hasScope("orders:read")).isTrue();
    }

    /** As Spring Security does if a caller has authenticated twice. */
    @Test
    void hasScopeWhenOthersAddStarThenNotAWildcard() {
        ApiKeyAuthentication merged =
                ApiKeyAuthentication.of(FakeRegistries.key("live", "orders:*"), Instant.EPOCH, true).toBuilder()
                        .authorities(all -> all.add(new SimpleGrantedAuthority("SCOPE_*")))
                        .build();

        assertThat(merged.hasScope("stock:read")).isFalse();
        assertThat(merged.hasScope("*")).isTrue();
    }

    @Test
    void hasScopeWhenAuthorityWasRemovedThenFalse() {
        ApiKeyAuthentication reduced =
                ApiKeyAuthentication.of(FakeRegistries.key("live", "orders:*", "stock:read"), Instant.EPOCH, true)
                        .toBuilder()
                        .authorities(all -> all.clear())
                        .build();

        assertThat(reduced.hasScope("orders:read")).isFalse();
        assertThat(reduced.hasScope("stock:read")).isFalse();
    }
}
