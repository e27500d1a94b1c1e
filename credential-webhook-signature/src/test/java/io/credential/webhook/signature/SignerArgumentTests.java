package io.credential.webhook.signature;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.testing.MissingArguments;
import io.credential.webhook.WebhookException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A missing or empty argument is an error with a code, or is declared to be allowed. */
@SuppressWarnings("NullAway") // null is what the tests pass
class SignerArgumentTests {

    private static final Map<Class<?>, Object> SAMPLES = Map.of(String.class, "v1", byte[].class, new byte[32]);

    static Stream<Arguments> parameters() {
        return MissingArguments.of(
                List.of(WebhookSigner::builder, () -> builder().build()));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void invokeWhenArgumentIsNullThenCodedErrorOrAllowed(Supplier<Object> target, Method method, int missing)
            throws IllegalAccessException {
        Throwable failure = MissingArguments.failure(target, method, missing, SAMPLES);

        if (failure != null) {
            assertThat(failure)
                    .isInstanceOfSatisfying(
                            WebhookException.class,
                            e -> assertThat(e.code())
                                    .isIn(
                                            "webhook/bad-opt",
                                            "webhook/bad-opts",
                                            "webhook/bad-secret",
                                            "webhook/bad-body"));
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
                empty("webhook/bad-opts", signer::build),
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
                empty(
                        "webhook/bad-header-format",
                        () -> builder().idGenerator(() -> null).build().sign(new byte[1])));
    }

    @ParameterizedTest
    @MethodSource("emptyArguments")
    void invokeWhenArgumentIsEmptyThenCodedError(String code, ThrowingCallable call) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Arguments empty(String code, ThrowingCallable call) {
        return Arguments.of(code, call);
    }

    private static WebhookSigner.Builder builder() {
        return WebhookSigner.builder().algorithm("hmac-sha3-512").key("v1", "0123456789abcdef");
    }
}
