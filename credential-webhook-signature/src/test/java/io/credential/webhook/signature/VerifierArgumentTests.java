package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.KeyIdentity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A missing or empty argument is an error with a code and never a NullPointerException. */
class VerifierArgumentTests {

    private static final String KEY = "0123456789abcdef";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void verifierWhenAnArgumentIsMissingThenItsCode(String option, String code, Step<WebhookVerifier.Builder> step) {
        WebhookVerifier.Builder builder =
                WebhookVerifier.builder().algorithm("hmac-sha3-512").key("v1", KEY);

        assertRefused(code, () -> step.applyTo(builder).build());
    }

    static Stream<Arguments> verifierWhenAnArgumentIsMissingThenItsCode() {
        return Stream.of(
                verifier("name", "webhook/bad-opt", builder -> builder.name(null)),
                verifier("empty name", "webhook/bad-opt", builder -> builder.name("")),
                verifier("algorithm", "webhook/bad-opts", builder -> builder.algorithm(null)),
                verifier("empty algorithm", "webhook/bad-alg", builder -> builder.algorithm("")),
                verifier("kid", "webhook/bad-opt", builder -> builder.key(null, KEY)),
                verifier("kid of bytes", "webhook/bad-opt", builder -> builder.key(null, new byte[16])),
                verifier("empty kid", "webhook/bad-opt", builder -> builder.key("", KEY)),
                verifier("key", "webhook/bad-secret", builder -> builder.key("v2", (String) null)),
                verifier("key of bytes", "webhook/bad-secret", builder -> builder.key("v2", (byte[]) null)),
                verifier("empty key", "webhook/bad-secret", builder -> builder.key("v2", "")),
                verifier("empty pqcAlgorithm", "webhook/bad-opt", builder -> builder.pqcAlgorithm("")),
                verifier("tolerance", "webhook/bad-tolerance", builder -> builder.tolerance(null)),
                verifier("clockSkew", "webhook/bad-opt", builder -> builder.clockSkew(null)),
                verifier("signatureHeader", "webhook/bad-opt", builder -> builder.signatureHeader(null)),
                verifier("empty signatureHeader", "webhook/bad-opt", builder -> builder.signatureHeader("")),
                verifier("nonceStore", "webhook/bad-nonce-store", builder -> builder.nonceStore(null)),
                verifier("clock", "webhook/bad-opt", builder -> builder.clock(null)),
                verifier("audit", "webhook/bad-opt", builder -> builder.audit(null)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void processorWhenAnArgumentIsMissingThenItsCode(
            String option, String code, Step<ProcessorSignature.Builder> step) {
        assertRefused(
                code,
                () -> step.applyTo(ProcessorSignature.builder().secret(KEY)).build());
    }

    static Stream<Arguments> processorWhenAnArgumentIsMissingThenItsCode() {
        return Stream.of(
                processor("name", "webhook/bad-opt", builder -> builder.name(null)),
                processor("algorithm", "webhook/bad-alg", builder -> builder.algorithm(null)),
                processor("secret", "webhook/bad-secret", builder -> builder.secret((String) null)),
                processor("secret of bytes", "webhook/bad-secret", builder -> builder.secret((byte[]) null)),
                processor("empty secret", "webhook/bad-secret", builder -> builder.secret("")),
                processor("tolerance", "webhook/bad-tolerance", builder -> builder.tolerance(null)),
                processor("clockSkew", "webhook/bad-opt", builder -> builder.clockSkew(null)),
                processor("negative clockSkew", "webhook/bad-opt", b -> b.clockSkew(Duration.ofSeconds(-1))),
                processor("signatureHeader", "webhook/bad-opt", builder -> builder.signatureHeader(null)),
                processor("nonceStore", "webhook/bad-nonce-store", builder -> builder.nonceStore(null)),
                processor("clock", "webhook/bad-opt", builder -> builder.clock(null)),
                processor("audit", "webhook/bad-opt", builder -> builder.audit(null)));
    }

    @Test
    void verifyWhenAnArgumentIsMissingThenItsCode() {
        WebhookFixture fixture = new WebhookFixture();
        WebhookVerifier verifier = fixture.verifier().build();
        ProcessorSignature pair =
                ProcessorSignature.builder().secret(KEY).clock(fixture.clock).build();
        Map<String, List<String>> nulls = new HashMap<>();
        nulls.put(null, null);
        nulls.put(WebhookFixture.HEADER, Collections.singletonList(null));

        assertRefused("webhook/missing-header", () -> verifier.verify(WebhookFixture.BODY, null));
        assertRefused("webhook/missing-header", () -> verifier.verify(WebhookFixture.BODY, nulls));
        assertRefused(
                "webhook/bad-body",
                () -> verifier.verify(
                        null, WebhookFixture.headers(fixture.signer().build().sign(WebhookFixture.BODY))));
        assertRefused("webhook/missing-header", () -> pair.verify((String) null, WebhookFixture.BODY));
        assertRefused(
                "webhook/missing-header", () -> pair.verify(WebhookFixture.BODY, (Map<String, List<String>>) null));
        assertRefused("webhook/bad-body", () -> pair.verify(pair.sign(WebhookFixture.BODY), (byte[]) null));
        assertRefused("webhook/bad-body", () -> pair.sign(null));
    }

    @Test
    void verifyWhenGivenHeadersThenTheProcessorsIsFound() {
        ProcessorSignature pair =
                ProcessorSignature.builder().secret(KEY).name("payments").build();
        String header = pair.sign(WebhookFixture.BODY);

        assertThat(pair.verify(WebhookFixture.BODY, Map.of("processor-signature", List.of(header)))
                        .sender())
                .isEqualTo("payments");
        assertRefused(
                "webhook/missing-header",
                () -> pair.verify(WebhookFixture.BODY, Map.of("Processor-Signature", List.of(header, header))));
    }

    @Test
    void keyIdentityWhenTheKeyIsWrittenOtherwiseThenEqual() {
        KeyIdentity text = ProcessorSignature.builder().secret(KEY).build().keyIdentity();

        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", KEY.getBytes(StandardCharsets.UTF_8))
                        .key("v2", "another key of sixteen bytes")
                        .build()
                        .keyIdentities())
                .containsEntry("v1", text)
                .doesNotContainEntry("v2", text);
        assertThat(text).hasToString("KeyIdentity[not shown]");
    }

    private static Arguments verifier(String option, String code, Step<WebhookVerifier.Builder> step) {
        return Arguments.of(option, code, step);
    }

    private static Arguments processor(String option, String code, Step<ProcessorSignature.Builder> step) {
        return Arguments.of(option, code, step);
    }

    private static void assertRefused(String code, Runnable call) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @FunctionalInterface
    interface Step<B> {
        B applyTo(B builder);
    }
}
