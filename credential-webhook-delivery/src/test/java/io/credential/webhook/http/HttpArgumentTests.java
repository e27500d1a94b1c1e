package io.credential.webhook.http;

import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.testing.MissingArguments;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.internal.HttpWebhookTransport;
import io.credential.webhook.signature.WebhookSigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A missing or empty argument is an error with a code, or is declared to be allowed. */
@SuppressWarnings("NullAway") // null is what the tests pass
class HttpArgumentTests {

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", "0123456789abcdef")
            .build();

    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(String.class, "v1"),
            Map.entry(byte[].class, new byte[32]),
            Map.entry(String[].class, new String[] {"TLSv1.3"}),
            Map.entry(URI.class, URI.create("https://localhost/")),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(HostResolver.class, (HostResolver) host -> List.of(InetAddress.getLoopbackAddress())),
            Map.entry(WebhookSigner.class, SIGNER),
            Map.entry(SSLContext.class, sslContext()));

    static Stream<Arguments> parameters() {
        return MissingArguments.of(List.of(
                HttpWebhookTransport::builder,
                () -> HttpWebhookTransport.builder().build(),
                WebhookSender::builder,
                () -> WebhookSender.builder().retry(once()).build(),
                DestinationPolicy::builder,
                () -> DestinationPolicy.builder().build()));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void invokeWhenArgumentIsNullThenCodedErrorOrAllowed(Supplier<Object> target, Method method, int missing)
            throws IllegalAccessException {
        Throwable failure = MissingArguments.failure(target, method, missing, SAMPLES);

        if (failure != null) {
            assertThat(code(failure)).isIn("webhook/bad-opt", "webhook/unsafe-destination");
        }
    }

    static Stream<Arguments> emptyArguments() {
        return Stream.of(
                empty(
                        "webhook/unsafe-destination",
                        () -> WebhookSender.builder().build().send(SIGNER, URI.create(""), new byte[1])),
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
                empty("webhook/bad-opt", () -> new SendOptions(null, once(), true, true)),
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

    private static SendRetry once() {
        return new SendRetry(1, Duration.ofMillis(1), Duration.ofMillis(1));
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
