package io.credential.spring.security;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ReflectionUtils;

import reactor.core.publisher.Hooks;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.ScopeCheckAutoConfiguration;
import io.credential.spring.kotlin.KotlinClasses;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application in Kotlin, compiled by its compiler: what it makes of suspend functions, defaults, interfaces and
 * internal functions can only be seen there. Coroutines resume on other threads, so a real server runs them.
 */
class KotlinApplicationTests {

    @TempDir
    static Path directory;

    private static KotlinClasses kotlin;
    private static HostApplication application;

    @BeforeAll
    static void start() throws IOException {
        kotlin = KotlinClasses.compileTo(directory);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(kotlin);
        try {
            application = HostApplication.start(Host.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        kotlin.close();
    }

    @AfterEach
    void logOut() {
        Hooks.disableAutomaticContextPropagation();
        SecurityContextHolder.clearContext();
    }

    private static HttpResponse<String> get(String path, String... scopes) {
        application.registries().issue("live", scopes);
        return application.get(path, "X-API-Key", token("live"));
    }

    @ParameterizedTest
    @CsvSource({
        "/suspended, owner-1",
        "/at-once, at once",
        "/default, amount 7",
        "/default?amount=2, amount 2",
        "/suspended-default, amount 7",
        "/suspended-default?amount=2, amount 2",
        "/service, suspended"
    })
    void functionWhenScopeIsHeldThenAnswers(String path, String body) {
        HttpResponse<String> response = get(path, "orders:read");

        assertThat(response.body()).isEqualTo(body);
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/suspended", "/at-once", "/default", "/suspended-default", "/service", "/flow", "/admin"})
    void functionWhenScopeIsMissingThenForbidden(String path) {
        HttpResponse<String> response = get(path, "orders:write");

        assertThat(response.body()).contains("api-key/insufficient-scope");
        assertThat(response.statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/suspended", "/at-once", "/default", "/suspended-default", "/service", "/flow", "/admin"})
    void functionWhenThereIsNoKeyThenUnauthorized(String path) {
        assertThat(application.get(path).statusCode()).isEqualTo(401);
    }

    @Test
    void flowWhenScopeIsHeldThenAnswers() {
        HttpResponse<String> response = get("/flow", "orders:read");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("data:1", "data:2");
    }

    @Test
    void classWhenScopeIsHeldThenAnswers() {
        assertThat(get("/admin", "admin").body()).isEqualTo("admin");
    }

    @Test
    void bodyWhenSuspendedThenScopeIsCheckedFirst() {
        application.registries().issue("live", "orders:read");
        HttpRequest.Builder request =
                application.request("/body").header("X-API-Key", token("live")).header("Content-Type", "text/plain");

        assertThat(application
                        .send(request.POST(HttpRequest.BodyPublishers.ofString("order")))
                        .statusCode())
                .isEqualTo(403);
        application.registries().issue("live", "orders:write");
        assertThat(application
                        .send(request.POST(HttpRequest.BodyPublishers.ofString("order")))
                        .body())
                .isEqualTo("order");
    }

    @Test
    void checkWhenContextIsLostThenRefused() {
        assertThat(get("/caller-later", "orders:read").body()).isEqualTo("nobody");
        assertThat(get("/service-later", "orders:read").statusCode()).isEqualTo(401);
    }

    @Test
    void checkWhenContextIsPropagatedThenOfCaller() {
        Hooks.enableAutomaticContextPropagation();

        assertThat(get("/caller-later", "orders:read").body()).isEqualTo("owner-1");
        assertThat(get("/service-later", "orders:read").body()).isEqualTo("suspended");
        assertThat(get("/service-later", "orders:write").statusCode()).isEqualTo(403);
    }

    @Test
    void callWhenScopeIsMissingThenDenied() {
        onOrders((type, orders) -> {
            List<String> denied = new ArrayList<>();
            for (Method method : functions(type)) {
                logIn("orders:write");
                assertThatExceptionOfType(AuthorizationDeniedException.class)
                        .as(method.getName())
                        .isThrownBy(() -> ReflectionUtils.invokeMethod(method, orders, arguments(method)));
                logIn("orders:read");
                if (!method.isBridge()) { // Spring fails to call the bridge of a suspend function on any proxy
                    ReflectionUtils.invokeMethod(method, orders, arguments(method));
                }
                denied.add(method.getName().replaceAll("[$-].*", ""));
            }
            assertThat(denied)
                    .containsExactlyInAnyOrder(
                            "inherited",
                            "inheritedLater",
                            "find",
                            "find", // the bridge of the generic function
                            "suspended",
                            "withDefault",
                            "suspendedWithDefault",
                            "ofModule",
                            "ofModuleLater",
                            "byValue",
                            "getProperty",
                            "hiddenFromJava",
                            "numbers");
        });
    }

    @Test
    void callWhenArgumentsAreDefaultsThenDenied() {
        onOrders((type, orders) -> {
            Method withDefaults = Objects.requireNonNull(ReflectionUtils.findMethod(
                    type, "withDefault$default", type, String.class, int.class, int.class, Object.class));

            logIn("orders:write");
            assertThatExceptionOfType(AuthorizationDeniedException.class)
                    .isThrownBy(() -> ReflectionUtils.invokeMethod(withDefaults, null, orders, null, 0, 3, null));
            logIn("orders:read");
            assertThat(ReflectionUtils.invokeMethod(withDefaults, null, orders, null, 0, 3, null))
                    .isEqualTo("a1");
        });
    }

    private static void logIn(String scope) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("somebody", "none", "SCOPE_" + scope));
    }

    private static void onOrders(BiConsumer<Class<?>, Object> test) {
        Class<?> type = kotlin.named("Orders");
        scopeChecks().withBean(type).run(context -> test.accept(type, context.getBean(type)));
    }

    private static ApplicationContextRunner scopeChecks() {
        return new ApplicationContextRunner()
                .withClassLoader(kotlin)
                .withConfiguration(AutoConfigurations.of(ScopeCheckAutoConfiguration.class));
    }

    private static List<Method> functions(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static Object continuation() {
        return BeanUtils.instantiateClass(kotlin.named("Ignoring"));
    }

    private static Object[] arguments(Method method) {
        return Stream.of(method.getParameterTypes())
                .map(type ->
                        type == int.class ? 1 : type == String.class || type == Object.class ? "order" : continuation())
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "FinalClass, the class is final",
        "FinalFunction, the method is final",
        "FinalFunctionByType, the method is final",
        "PrivateFunction, the method is private",
        "StaticFunction, the method is static",
        "CompanionFunction, the companion object is not a bean",
        "DataClass, the class is final"
    })
    void startWhenUnenforceableThenFails(String type, String reason) {
        scopeChecks()
                .withBean(kotlin.named(type))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                CredentialConfigurationException.class,
                                failure -> assertThat(failure).hasMessageContaining("cannot be enforced: " + reason)));
    }

    /** Names the classes that are compiled later. */
    static final class KotlinBeans implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return Stream.of("Orders", "OrderController", "AdminController")
                    .map(name -> "io.credential.spring.kotlin." + name)
                    .toArray(String[]::new);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(KotlinBeans.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }
    }
}
