package io.credential.spring.autoconfigure.security;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.security.RequiresScope;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Requirements of one of several scopes. */
class AnyScopeTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ScopeCheckAutoConfiguration.class))
            .withBean(Warehouse.class);

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void logIn(String authorities) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("somebody", "none", authorities.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCOPE_stock:read", "SCOPE_stock:admin", "SCOPE_stock:read SCOPE_stock:admin"})
    void countWhenOneScopeIsHeldThenCalled(String authorities) {
        application.run(context -> {
            logIn(authorities);
            assertThat(context.getBean(Warehouse.class).count()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCOPE_stock", "SCOPE_stock:*", "SCOPE_*", "ROLE_X", "stock:read"})
    void countWhenNoScopeIsHeldThenDenied(String authorities) {
        application.run(context -> {
            logIn(authorities);
            Warehouse warehouse = context.getBean(Warehouse.class);
            assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(warehouse::count);
        });
    }

    /** All of value, one of anyOf, and one of the anyOf of the class. */
    @Test
    void clearThenEveryRequirementMustHold() {
        application.run(context -> {
            Warehouse warehouse = context.getBean(Warehouse.class);
            for (String lacking : List.of(
                    "SCOPE_stock:read SCOPE_clear:a",
                    "SCOPE_stock:read SCOPE_write",
                    "SCOPE_write SCOPE_clear:a",
                    "SCOPE_clear:a SCOPE_clear:b SCOPE_stock:read SCOPE_stock:admin")) {
                logIn(lacking);
                assertThatExceptionOfType(AccessDeniedException.class)
                        .as(lacking)
                        .isThrownBy(warehouse::clear);
            }
            logIn("SCOPE_stock:admin SCOPE_write SCOPE_clear:b");
            assertThatCode(warehouse::clear).doesNotThrowAnyException();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Nothing.class, BlankAlternative.class})
    void startWhenNoScopeOrBlankOneIsNamedThenRefused(Class<?> bean) {
        application
                .withBean(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("it names no scope, or a blank one"));
    }

    private static List<String> warnings(String... known) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("warehouse", new RootBeanDefinition(Warehouse.class));
        try (CapturedLog logged = CapturedLog.of(UnknownScopeWarning.class)) {
            new UnknownScopeWarning(List.of(known), beans).afterSingletonsInstantiated();
            return logged.lines();
        }
    }

    @Test
    void startWhenRequiredScopeIsUnknownThenWarns() {
        assertThat(warnings("stock:read", "stock:admin", "write", "clear:a"))
                .singleElement()
                .asString()
                .contains("[clear:b]", "bean 'warehouse'", "credential.api-keys.scopes.known");
    }

    @Test
    void startWhenScopesAreKnownOrAnyIsAllowedThenSilent() {
        assertThat(warnings("stock:read", "stock:admin", "write", "clear:a", "clear:b"))
                .isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @RequiresScope(anyOf = {"stock:read", "stock:admin"})
    static class Warehouse {

        int count() {
            return 1;
        }

        @RequiresScope(
                value = "write",
                anyOf = {"clear:a", "clear:b"})
        void clear() {}
    }

    @RequiresScope
    static class Nothing {}

    static class BlankAlternative {

        @RequiresScope(
                value = "write",
                anyOf = {"read", " "})
        void clear() {}
    }
}
