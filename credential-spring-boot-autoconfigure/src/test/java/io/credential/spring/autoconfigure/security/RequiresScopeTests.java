package io.credential.spring.autoconfigure.security;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.security.RequiresScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RequiresScopeTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ScopeCheckAutoConfiguration.class));

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void logIn(String... scopes) {
        String[] authorities = new String[scopes.length];
        for (int i = 0; i < scopes.length; i++) {
            authorities[i] = "SCOPE_" + scopes[i];
        }
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("somebody", "none", authorities));
    }

    private static void assertDenied(Runnable call, String... missing) {
        assertThatExceptionOfType(AuthorizationDeniedException.class)
                .isThrownBy(call::run)
                .satisfies(denied -> assertThat(denied.getAuthorizationResult())
                        .isInstanceOfSatisfying(
                                AuthorityAuthorizationDecision.class,
                                decision -> assertThat(decision.getAuthorities())
                                        .extracting(GrantedAuthority::getAuthority)
                                        .containsExactly(missing)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.aop.auto=true", "spring.aop.auto=false", "spring.aop.proxy-target-class=false"})
    void callWhenAopSettingsDifferThenStillEnforced(String property) {
        application.withPropertyValues(property).withBean(OrderService.class).run(context -> {
            OrderService orders = context.getBean(OrderService.class);
            logIn("orders:read");

            assertThat(orders.read()).isEqualTo("read");
            assertDenied(orders::write, "SCOPE_orders:write");
        });
    }

    @Test
    void callWhenMethodSecurityIsOnThenEnforcedOnce() {
        application
                .withUserConfiguration(WithMethodSecurity.class)
                .withBean(OrderService.class)
                .run(context -> {
                    OrderService orders = context.getBean(OrderService.class);
                    logIn("orders:read");

                    assertThat(orders.read()).isEqualTo("read");
                    assertDenied(orders::write, "SCOPE_orders:write");
                    assertThat(((Advised) orders).getAdvisorCount()).isEqualTo(1);
                });
    }

    @Test
    void scopesWhenOnClassAndMethodThenAddUp() {
        application.withBean(AdminService.class).run(context -> {
            AdminService admin = context.getBean(AdminService.class);

            logIn();
            assertDenied(admin::purge, "SCOPE_admin", "SCOPE_keys:purge", "SCOPE_keys:write");
            logIn("keys:purge", "keys:write");
            assertDenied(admin::purge, "SCOPE_admin");
            logIn("admin");
            assertThat(admin.list()).isEqualTo("list");
            logIn("admin", "keys:purge", "keys:write");
            assertThat(admin.purge()).isEqualTo("purged");
        });
    }

    @Test
    void scopesWhenOnSupertypesThenAreDemanded() {
        application.withBean(Inheriting.class).run(context -> {
            Inheriting service = context.getBean(Inheriting.class);
            logIn();

            assertDenied(service::list, "SCOPE_admin");
            assertDenied(service::audited, "SCOPE_admin", "SCOPE_audit");
        });
    }

    @Test
    void scopesWhenOnAMetaAnnotationThenAreDemanded() {
        application.withBean(MetaService.class).run(context -> {
            MetaService service = context.getBean(MetaService.class);
            logIn();

            assertDenied(service::fixed, "SCOPE_reports");
            assertDenied(service::aliased, "SCOPE_billing");
        });
    }

    @Test
    void callWhenThereIsNoAuthenticationThenFails() {
        application
                .withBean(OrderService.class)
                .run(context -> assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
                        .isThrownBy(context.getBean(OrderService.class)::read));
    }

    @Test
    void callWhenAuthenticationDoesNotHoldThenDenied() {
        application.withBean(OrderService.class).run(context -> {
            TestingAuthenticationToken claimed = new TestingAuthenticationToken("x", "none", "SCOPE_orders:read");
            claimed.setAuthenticated(false);
            SecurityContextHolder.getContext().setAuthentication(claimed);

            assertDenied(context.getBean(OrderService.class)::read, "SCOPE_orders:read");
        });
    }

    @Test
    void objectMethodsThenNeedNoScope() {
        application.withBean(AdminService.class).run(context -> {
            AdminService admin = context.getBean(AdminService.class);

            assertThatCode(admin::toString).doesNotThrowAnyException();
            assertThat(admin.equals(admin)).isTrue();
        });
    }

    @Test
    void beanWhenNotAnnotatedThenIsNotProxied() {
        application
                .withBean(PlainService.class)
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(PlainService.class)))
                        .isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                FinalClass.class,
                FinalClassByType.class,
                FinalMethod.class,
                FinalMethodByType.class,
                PrivateMethod.class,
                StaticMethod.class,
                WithoutScope.class,
                BlankScope.class
            })
    void startWhenScopeCannotBeEnforcedThenFails(Class<?> service) {
        application
                .withUserConfiguration(service)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                CredentialConfigurationException.class,
                                failure -> assertThat(failure.problem()).contains(service.getName())));
    }

    @Test
    void startWhenScopeOfALazyBeanCannotBeEnforcedThenFails() {
        application
                .withUserConfiguration(LazilyPrivate.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("the method is private"));
    }

    @Test
    void startWhenLazyApplicationCannotEnforceThenFails() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(PrivateMethod.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("the method is private"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.aop.proxy-target-class=true", "spring.aop.proxy-target-class=false"})
    void callWhenThroughAnInterfaceThenEnforced(String property) {
        application
                .withPropertyValues(property)
                .withUserConfiguration(Implementations.class)
                .run(context -> {
                    logIn();

                    assertThat(context.getBeansOfType(Audited.class))
                            .hasSize(3)
                            .allSatisfy((name, bean) -> assertDenied(bean::audited, "SCOPE_audit"));
                });
    }

    @Test
    void finalMethodWhenOfTheFrameworkThenIsLeftAlone() {
        application
                .withBean(FrameworkSubclass.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class WithMethodSecurity {}

    static class PlainService {}

    static class OrderService {

        @RequiresScope("orders:read")
        String read() {
            return "read";
        }

        @RequiresScope({"orders:read", "orders:write"})
        String write() {
            return "written";
        }
    }

    @RequiresScope("admin")
    static class AdminService {

        String list() {
            return "list";
        }

        @RequiresScope({"keys:purge", "keys:write"})
        String purge() {
            return "purged";
        }
    }

    interface Audited {

        @RequiresScope("audit")
        void audited();
    }

    static class Auditor implements Audited {

        @Override
        public void audited() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Implementations {

        @Bean
        Auditor byClass() {
            return new Auditor();
        }

        @Bean
        Audited byLambda() {
            return () -> {};
        }

        @Bean
        Audited byProxy() {
            Audited target = () -> {};
            return (Audited) Proxy.newProxyInstance(
                    Audited.class.getClassLoader(),
                    new Class<?>[] {Audited.class},
                    (proxy, method, arguments) -> method.invoke(target, arguments));
        }
    }

    static class Inheriting extends AdminService implements Audited {

        @Override
        public void audited() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RequiresScope("reports")
    @interface Reports {}

    @Retention(RetentionPolicy.RUNTIME)
    @RequiresScope({})
    @interface Needs {

        @AliasFor(annotation = RequiresScope.class, attribute = "value")
        String[] scopes();
    }

    static class MetaService {

        @Reports
        void fixed() {}

        @Needs(scopes = "billing")
        void aliased() {}
    }

    static final class FinalClass {

        @RequiresScope("a")
        void run() {}
    }

    @RequiresScope("a")
    static final class FinalClassByType {

        void run() {}
    }

    static class FinalMethod {

        @RequiresScope("a")
        final void run() {}
    }

    @RequiresScope("a")
    static class FinalMethodByType {

        final void run() {}
    }

    static class PrivateMethod {

        @RequiresScope("a")
        @SuppressWarnings("UnusedMethod") // only its annotation counts
        private void run() {}
    }

    static class StaticMethod {

        @RequiresScope("a")
        static void run() {}
    }

    static class WithoutScope {

        @RequiresScope({})
        void run() {}
    }

    static class BlankScope {

        @RequiresScope({"a", " "})
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazilyPrivate {

        @Bean
        @Lazy
        PrivateMethod service() {
            return new PrivateMethod();
        }
    }

    @RequiresScope("a")
    static class FrameworkSubclass extends org.springframework.context.support.ApplicationObjectSupport {

        void run() {}
    }
}
