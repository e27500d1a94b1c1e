package io.credential.webhook;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.audit.AuditSink;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.signature.SendRetry;
import io.credential.webhook.signature.WebhookSigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A missing or empty argument is an error with a code, or is declared to be allowed. */
@SuppressWarnings("NullAway") // null is what the tests pass
class NullArgumentTests {

    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(String.class, "v1"),
            Map.entry(byte[].class, new byte[32]),
            Map.entry(String[].class, new String[] {"TLSv1.3"}),
            Map.entry(URI.class, URI.create("https://hooks.example.com/")),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(HostResolver.class, (HostResolver) host -> List.of(InetAddress.getLoopbackAddress())),
            Map.entry(SSLContext.class, sslContext()));

    static Stream<Arguments> parameters() {
        return Stream.<Supplier<Object>>of(
                        WebhookSigner::builder,
                        NullArgumentTests::signer,
                        HttpWebhookTransport::builder,
                        () -> HttpWebhookTransport.builder().build(),
                        DestinationPolicy::builder,
                        () -> DestinationPolicy.builder().build())
                .flatMap(target -> methods(target.get().getClass())
                        .flatMap(method -> IntStream.range(0, method.getParameterCount())
                                .filter(i -> !method.getParameterTypes()[i].isPrimitive())
                                .mapToObj(i -> Arguments.argumentSet(
                                        method.getDeclaringClass().getName() + "." + method.getName()
                                                + Arrays.toString(method.getParameterTypes()) + " " + i,
                                        target,
                                        method,
                                        i))));
    }

    /** A builder inherits options from classes that are not public. */
    private static Stream<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(
                        type, owner -> owner.getPackageName().startsWith("io.credential"), Class::getSuperclass)
                .flatMap(owner -> Stream.of(owner.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && !method.isBridge()
                        && method.trySetAccessible());
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void invokeWhenArgumentIsNullThenCodedErrorOrAllowed(Supplier<Object> target, Method method, int missing)
            throws IllegalAccessException {
        @Nullable Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type.isPrimitive() ? (Object) true : SAMPLES.get(type))
                .toArray();
        arguments[missing] = null;
        try {
            method.invoke(target.get(), arguments);
            assertThat(method.getAnnotatedParameterTypes()[missing].isAnnotationPresent(Nullable.class))
                    .as("null passes, so it is declared @Nullable")
                    .isTrue();
        } catch (InvocationTargetException e) {
            assertThat(code(e.getCause()))
                    .isIn(
                            "webhook/bad-opt",
                            "webhook/bad-opts",
                            "webhook/bad-secret",
                            "webhook/bad-body",
                            "webhook/unsafe-destination");
        }
    }

    static Stream<Arguments> emptyArguments() {
        WebhookSigner.Builder signer = WebhookSigner.builder().algorithm("hmac-sha3-512");
        return Stream.of(
                empty("webhook/bad-opt", () -> WebhookSigner.builder().name("")),
                empty(
                        "webhook/bad-alg",
                        () -> WebhookSigner.builder().algorithm("").build()),
                empty("webhook/bad-opts", () -> WebhookSigner.builder().build()),
                empty("webhook/bad-opts", () -> signer.build()),
                empty("webhook/bad-opt", () -> signer.key("", "0123456789abcdef")),
                empty(
                        "webhook/bad-secret",
                        () -> builder().key("v2", "").defaultKid("v2").build()),
                empty("webhook/bad-opt", () -> builder().defaultKid("").build()),
                empty("webhook/bad-opt", () -> builder().signatureHeader("").build()),
                empty("webhook/bad-opt", () -> builder().pqcAlgorithm("").build()),
                empty(
                        "webhook/bad-header-format",
                        () -> builder().idGenerator(() -> "").build().sign(new byte[1])),
                empty("webhook/bad-header-format", () -> nullIds().sign(new byte[1])),
                empty("webhook/unsafe-destination", () -> signer().send(URI.create(""), new byte[1])),
                empty(
                        "webhook/unsafe-destination",
                        () -> DestinationPolicy.builder().build().check(URI.create(""))),
                empty("webhook/bad-opt", () -> DestinationPolicy.builder().allowedProtocols(List.of())),
                empty("webhook/bad-opt", () -> DestinationPolicy.builder().allowedProtocols(List.of(""))),
                empty(
                        "webhook/bad-opt",
                        () -> DestinationPolicy.builder().allowedProtocols(Arrays.asList("https", null))),
                empty("webhook/bad-opt", () -> DestinationPolicy.builder().allowedCidrs(List.of(""))),
                empty(
                        "webhook/bad-opt",
                        () -> DestinationPolicy.builder().allowedCidrs(Arrays.asList("10.0.0.0/8", null))),
                empty("webhook/bad-opt", () -> HttpWebhookTransport.builder().connectTimeout(Duration.ZERO)),
                empty("webhook/bad-opt", () -> HttpWebhookTransport.builder().maxConcurrent(0)),
                empty("webhook/bad-opt", () -> HttpWebhookTransport.builder().proxy(URI.create(""))),
                empty("webhook/bad-opt", () -> new SendRetry(3, null, Duration.ofSeconds(1))),
                empty("webhook/bad-opt", () -> new SendRetry(3, Duration.ofSeconds(1), null)));
    }

    @ParameterizedTest
    @MethodSource("emptyArguments")
    void invokeWhenArgumentIsEmptyThenCodedError(String code, Runnable call) {
        assertThatThrownBy(call::run)
                .satisfies(thrown -> assertThat(code(thrown)).isEqualTo(code));
    }

    private static Arguments empty(String code, Runnable call) {
        return Arguments.of(code, call);
    }

    private static WebhookSigner.Builder builder() {
        return WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", "0123456789abcdef")
                .audit(AuditSink.none())
                .clock(InstantSource.system())
                .random(new SecureRandom());
    }

    private static WebhookSigner signer() {
        return builder().build();
    }

    private static WebhookSigner nullIds() {
        return builder().idGenerator(() -> null).build();
    }

    private static String code(Throwable thrown) {
        if (thrown instanceof WebhookException refused) {
            return refused.code();
        }
        if (thrown instanceof UnsafeDestinationException refused) {
            return refused.code();
        }
        throw new AssertionError("An error without a code", thrown);
    }

    private static SSLContext sslContext() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
