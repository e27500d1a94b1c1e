package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.method.HandlerMethod;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;
import io.credential.spring.security.RequiresScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Wherever in a hierarchy the annotation stands, and whichever class declares the method that runs. */
class ScopeHierarchyTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ScopeCheckAutoConfiguration.class));

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void logIn(String... authorities) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("somebody", "none", authorities));
    }

    private static <T> Arguments form(String name, Class<?> bean, Class<T> calledAs, Consumer<T> call) {
        return arguments(name, bean, calledAs, call);
    }

    /** Each row: the form, the class of the bean, the type through which it is called, and the call. */
    static Stream<Arguments> forms() {
        return Stream.of(
                form("superclass implements", SuperclassImplements.class, Guarded.class, Guarded::delete),
                form("superclass implements, other type", SuperclassImplements.class, Plain.class, Plain::delete),
                form("sub-interface", OfSubInterface.class, Plain.class, Plain::delete),
                form("inherited default method", InheritsDefault.class, WithDefault.class, WithDefault::delete),
                form("default implements abstract", DefaultImplements.class, Guarded.class, Guarded::delete),
                form("override without annotation", Overrides.class, Plain.class, Plain::delete),
                form("abstract method", ImplementsAbstract.class, Plain.class, Plain::delete),
                form("method of the class itself", Direct.class, Plain.class, Plain::delete),
                form("on an overridden method", OverridesAnnotated.class, Plain.class, Plain::delete),
                form("generic interface", Generic.class, Store.class, ScopeHierarchyTests::save),
                form("generic interface, bridge", GenericBySuperclass.class, Store.class, ScopeHierarchyTests::save),
                form("annotation behind a bridge", BehindBridge.class, PlainStore.class, ScopeHierarchyTests::save),
                form("generic superclass", OfGenericClass.class, PlainStore.class, ScopeHierarchyTests::save),
                form("bounded method variable", Bounded.class, BoundedStore.class, store -> store.save("x")),
                form("other return type", Covariant.class, Finder.class, Finder::find),
                form("annotated interface", OfAnnotatedInterface.class, Plain.class, Plain::delete));
    }

    @SuppressWarnings("unchecked")
    private static void save(PlainStore<?> store) {
        ((PlainStore<Object>) store).save("x");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    <T> void callWhenScopeIsMissingThenDenied(String name, Class<?> bean, Class<T> calledAs, Consumer<T> call) {
        for (boolean subclass : List.of(true, false)) {
            application
                    .withPropertyValues("spring.aop.proxy-target-class=" + subclass)
                    .withBean(bean)
                    .run(context -> {
                        T called = context.getBean(calledAs);
                        assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
                                .isThrownBy(() -> call.accept(called));
                        logIn("SCOPE_other");
                        assertDenied(() -> call.accept(called), "SCOPE_admin");
                        logIn("SCOPE_admin");
                        assertThatCode(() -> call.accept(called)).doesNotThrowAnyException();
                        logOut();
                    });
        }
    }

    /** The rule is one: what the method interceptor demands, the interceptor of controllers demands. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    <T> void handlerWhenScopeIsMissingThenDenied(String name, Class<?> bean, Class<T> calledAs, Consumer<T> call) {
        application.withBean(bean).run(context -> {
            Object controller = context.getBean(bean);
            ScopeHandlerInterceptor interceptor = handlerInterceptor();
            logIn("SCOPE_other");
            for (Method method : calledAs.getMethods()) {
                assertDenied(
                        () -> interceptor.preHandle(request(), response(), new HandlerMethod(controller, method)),
                        "SCOPE_admin");
            }
        });
    }

    private static ScopeHandlerInterceptor handlerInterceptor() {
        return new ScopeHandlerInterceptor(
                new ScopeRequirements(),
                new ApplicationSecurity(new DefaultListableBeanFactory(), InstantSource.system()));
    }

    private static HttpServletRequest request() {
        return new MockHttpServletRequest();
    }

    private static HttpServletResponse response() {
        return new MockHttpServletResponse();
    }

    private static void assertDenied(ThrowingCallable call, String... missing) {
        assertThatExceptionOfType(AuthorizationDeniedException.class)
                .isThrownBy(call)
                .satisfies(denied -> assertThat(denied.getAuthorizationResult())
                        .isInstanceOfSatisfying(
                                AuthorityAuthorizationDecision.class,
                                decision -> assertThat(decision.getAuthorities())
                                        .extracting(GrantedAuthority::getAuthority)
                                        .containsExactly(missing)));
    }

    @Test
    void scopesWhenOnSeveralDeclarationsThenAddUp() {
        application.withBean(OfTwoInterfaces.class).run(context -> {
            logIn();
            assertDenied(() -> context.getBean(Plain.class).delete(), "SCOPE_admin", "SCOPE_audit");
        });
    }

    @Test
    void overloadWhenNotAnnotatedThenStaysOpen() {
        application.withBean(Overloaded.class).run(context -> {
            Overloaded bean = context.getBean(Overloaded.class);
            logIn();

            assertThatCode(() -> bean.delete("one")).doesNotThrowAnyException();
            assertDenied(bean::delete, "SCOPE_admin");
        });
    }

    @Test
    void sameSuperclassWhenNotGuardedThenOpen() {
        application.withBean(NotGuarded.class).run(context -> {
            logIn();
            assertThatCode(context.getBean(NotGuarded.class)::delete).doesNotThrowAnyException();
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {FinalInSuperclass.class, FinalImplementation.class, FinalGeneric.class, PrivateInSuperclass.class
            })
    void startWhenProxyCannotOverrideThenRefused(Class<?> bean) {
        application
                .withBean(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("cannot be enforced"));
    }

    @Test
    void startWhenLazyBeanCannotBeOverriddenThenRefused() {
        application
                .withUserConfiguration(LazilyFinal.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("the method is final"));
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalInSuperclass.class, FinalImplementation.class})
    void finalWhenProxiedByInterfacesThenEnforced(Class<?> bean) {
        application
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(bean)
                .run(context -> {
                    logIn();
                    assertDenied(() -> context.getBean(Guarded.class).delete(), "SCOPE_admin");
                });
    }

    /** A callback interface makes no proxy of interfaces: the proxy is a subclass whatever the setting. */
    @Test
    void startWhenFinalMethodIsOutsideInterfacesThenRefused() {
        application
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(FinalBesideCallback.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining("the method is final"));
    }

    interface Plain {

        void delete();
    }

    interface Guarded {

        @RequiresScope("admin")
        void delete();
    }

    interface GuardedSub extends Guarded, Plain {}

    interface WithDefault {

        @RequiresScope("admin")
        default void delete() {}
    }

    interface WithImplementation extends Guarded {

        @Override
        default void delete() {}
    }

    interface Audited {

        @RequiresScope("audit")
        void delete();
    }

    @RequiresScope("admin")
    interface GuardedType {}

    interface PlainStore<T> {

        void save(T item);
    }

    interface Store<T> extends PlainStore<T> {

        @Override
        @RequiresScope("admin")
        void save(T item);
    }

    interface BoundedStore {

        @RequiresScope("admin")
        <T extends CharSequence> void save(T item);
    }

    interface Finder {

        @RequiresScope("admin")
        Object find();
    }

    static class Base {

        public void delete() {}

        public void save(String item) {}
    }

    static class NotGuarded extends Base {}

    static class SuperclassImplements extends Base implements Guarded, Plain {}

    static class OfSubInterface extends Base implements GuardedSub {}

    static class InheritsDefault implements WithDefault {}

    static class DefaultImplements implements WithImplementation {}

    static class Overrides implements GuardedSub {

        @Override
        public void delete() {}
    }

    abstract static class Abstract {

        @RequiresScope("admin")
        public abstract void delete();
    }

    static class ImplementsAbstract extends Abstract implements Plain {

        @Override
        public void delete() {}
    }

    static class Direct implements Plain {

        @Override
        @RequiresScope("admin")
        public void delete() {}
    }

    static class OverridesAnnotated extends Direct {

        @Override
        public void delete() {}
    }

    static class Generic implements Store<String> {

        @Override
        public void save(String item) {}
    }

    static class GenericBySuperclass extends Base implements Store<String> {}

    static class BehindBridge implements PlainStore<String> {

        @Override
        @RequiresScope("admin")
        public void save(String item) {}
    }

    abstract static class GenericClass<T> implements PlainStore<T> {

        @Override
        @RequiresScope("admin")
        public void save(T item) {}
    }

    static class OfGenericClass extends GenericClass<String> {

        @Override
        public void save(String item) {}
    }

    static class Bounded implements BoundedStore {

        @Override
        public <S extends CharSequence> void save(S item) {}
    }

    static class FindsText {

        public String find() {
            return "found";
        }
    }

    static class Covariant extends FindsText implements Finder {}

    static class OfAnnotatedInterface extends Base implements GuardedType, Plain {}

    static class OfTwoInterfaces extends Base implements Guarded, Audited, Plain {}

    static class Overloaded extends Base implements Guarded {

        void delete(String one) {}
    }

    static class FinalBase {

        public final void delete() {}

        public final void save(String item) {}
    }

    static class FinalInSuperclass extends FinalBase implements Guarded {}

    static final class FinalImplementation extends Base implements Guarded {}

    static class FinalGeneric extends FinalBase implements Store<String> {}

    static class WithPrivate {

        @RequiresScope("admin")
        @SuppressWarnings("UnusedMethod") // only its annotation counts
        private void hidden() {}
    }

    static class PrivateInSuperclass extends WithPrivate {}

    static class FinalBesideCallback implements InitializingBean {

        @Override
        public void afterPropertiesSet() {}

        @RequiresScope("admin")
        final void delete() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazilyFinal {

        @Bean
        @Lazy
        FinalInSuperclass lazy() {
            return new FinalInSuperclass();
        }
    }
}
