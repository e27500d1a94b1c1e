package io.credential.spring.security;

import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;

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
}
