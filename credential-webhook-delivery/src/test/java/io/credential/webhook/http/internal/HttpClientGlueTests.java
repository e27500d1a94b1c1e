package io.credential.webhook.http.internal;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.core5.http.nio.NHttpMessageParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** What wraps or copies a part of the HTTP client leaves nothing out that a newer version of the client adds. */
class HttpClientGlueTests {

    @ParameterizedTest
    @MethodSource("methodsOfAPool")
    void cancellableConnectsThenDeclaresEveryPoolMethod(Method method) {
        assertThatNoException()
                .isThrownBy(() ->
                        CancellableConnects.class.getDeclaredMethod(method.getName(), method.getParameterTypes()));
    }

    static Stream<Method> methodsOfAPool() {
        return Arrays.stream(AsyncClientConnectionManager.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    /** {@link Cancellation#attach} copies all of them but the dependency. */
    @Test
    void exchangeScopeThenHasNoFurtherField() {
        assertThat(AsyncExecChain.Scope.class.getFields())
                .extracting(Field::getName)
                .containsExactlyInAnyOrder(
                        "exchangeId",
                        "route",
                        "originalRequest",
                        "cancellableDependency",
                        "clientContext",
                        "execRuntime",
                        "scheduler",
                        "execCount");
    }

    @Test
    void messageParserThenHasNoFurtherMethod() {
        assertThat(NHttpMessageParser.class.getMethods())
                .extracting(Method::getName)
                .containsExactlyInAnyOrder("reset", "parse");
    }
}
