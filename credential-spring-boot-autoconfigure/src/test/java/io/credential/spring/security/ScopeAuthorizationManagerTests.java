package io.credential.spring.security;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

import static io.credential.spring.security.ScopeAuthorizationManager.hasAnyScope;
import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ScopeAuthorizationManagerTests {

    private final Authentication reader = new TestingAuthenticationToken("reader", "none", "SCOPE_orders:read");

    @Test
    void authorizeWhenScopeIsHeldThenGranted() {
        assertThat(hasScope("orders:read").authorize(() -> reader, this).isGranted())
                .isTrue();
    }

    @Test
    void authorizeWhenOneOfSeveralScopesIsMissingThenDenied() {
        assertThat(hasScope("orders:read", "orders:write")
                        .authorize(() -> reader, this)
                        .isGranted())
                .isFalse();
    }

    @Test
    void authorizeWhenScopeIsPrefixOrPatternThenDenied() {
        assertThat(hasScope("orders").authorize(() -> reader, this).isGranted()).isFalse();
        assertThat(hasScope("orders:*").authorize(() -> reader, this).isGranted())
                .isFalse();
        assertThat(hasScope("orders:READ").authorize(() -> reader, this).isGranted())
                .isFalse();
    }

    @Test
    void authorizeWhenNobodyIsAuthenticatedThenDenied() {
        assertThat(hasScope("orders:read").authorize(() -> null, this).isGranted())
                .isFalse();
    }

    @Test
    void hasScopeWhenNothingIsDemandedThenRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> hasScope());
        assertThatIllegalArgumentException().isThrownBy(() -> hasScope("a", " "));
    }

    @Test
    void hasAnyScopeWhenOneIsHeldThenGranted() {
        assertThat(hasAnyScope("orders:read", "orders:write")
                        .authorize(() -> reader, this)
                        .isGranted())
                .isTrue();
        assertThat(hasAnyScope("orders:list", "orders:write")
                        .authorize(() -> reader, this)
                        .isGranted())
                .isFalse();
    }

    @Test
    void hasAnyScopeWhenNothingIsDemandedThenRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> hasAnyScope());
        assertThatIllegalArgumentException().isThrownBy(() -> hasAnyScope("a", " "));
    }

    @Test
    void authorizeWhenCallerIsNotAuthenticatedThenDenied() {
        Authentication expired = new TestingAuthenticationToken("reader", "none", "SCOPE_orders:read");
        expired.setAuthenticated(false);

        assertThat(hasScope("orders:read").authorize(() -> expired, this).isGranted())
                .isFalse();
    }

    /** Other issuers give a star other meanings. */
    @Test
    void authorizeWhenOtherMechanismHasStarThenDenied() {
        Authentication token = new TestingAuthenticationToken("token", "none", "SCOPE_*", "SCOPE_orders:*");

        assertThat(hasScope("orders:read").authorize(() -> token, this).isGranted())
                .isFalse();
        assertThat(hasAnyScope("orders:read", "orders:write")
                        .authorize(() -> token, this)
                        .isGranted())
                .isFalse();
    }

    @Test
    void authorizeWhenKeyHasWildcardThenGranted() {
        ApiKeyAuthentication wild =
                ApiKeyAuthentication.of(FakeRegistries.key("live", "orders:*"), Instant.EPOCH, true);

        assertThat(hasScope("orders:read", "orders:write")
                        .authorize(() -> wild, this)
                        .isGranted())
                .isTrue();
        assertThat(hasScope("orders:read", "stock:read")
                        .authorize(() -> wild, this)
                        .isGranted())
                .isFalse();
    }

    @Test
    void authorizeWhenDeniedThenNamesMissingAuthorities() {
        assertThat(hasScope("orders:write", "orders:read").authorize(() -> reader, this))
                .isInstanceOfSatisfying(
                        AuthorityAuthorizationDecision.class,
                        denied -> assertThat(denied.getAuthorities())
                                .extracting(GrantedAuthority::getAuthority)
                                .containsExactly("SCOPE_orders:write"));
    }
}
