package io.credential.spring.autoconfigure.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.webhook.InboundWebhookConfiguration.Guard;
import io.credential.spring.webhook.internal.SignatureCheck;
import io.credential.spring.webhook.internal.VerificationTurns;
import io.credential.testing.MutableClock;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The formats of other senders, by their names in the configuration. */
@ExtendWith(OutputCaptureExtension.class)
class InboundSchemeTests {

    private static final byte[] HELLO = "Hello, World!".getBytes(UTF_8);
    private static final String OF_HELLO = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    private static final String SENDER = "credential.webhook.inbound.sender.";

    private final ApplicationContextRunner runner = StarterRunner.bare()
            .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
            .withPropertyValues(SENDER + "paths=/hook", SENDER + "keys.v1=It's a Secret to Everybody");

    @Test
    void verifyWhenSchemeIsSetThenItsFormatHolds() {
        runner.withPropertyValues(SENDER + "scheme=github")
                .run(context -> assertThat(context.getBean(WebhookVerifiers.class)
                                .get("sender")
                                .verify(HELLO, Map.of("X-Hub-Signature-256", List.of(OF_HELLO)))
                                .scheme())
                        .isEqualTo("github"));
    }

    @Test
    void schemeWhenProcessorThenAsItsAlgorithm() {
        runner.withPropertyValues(SENDER + "scheme=processor")
                .run(context -> assertThat(context.getBean(ProcessorSignatures.class)
                                .get("sender")
                                .signatureHeader())
                        .isEqualTo("Processor-Signature"));
    }

    @Test
    void schemeWhenABeanHasThisNameThenItIsUsed() {
        runner.withUserConfiguration(OwnScheme.class)
                .withPropertyValues(SENDER + "scheme=always")
                .run(context -> {
                    VerifiedWebhook verified = context.getBean(WebhookVerifiers.class)
                            .get("sender")
                            .verify(HELLO, Map.of());

                    assertThat(verified.scheme()).isEqualTo("always");
                    assertThat(verified.algorithm()).isEqualTo("none");
                });
    }

    @Test
    void startWhenSchemeIsUnknownThenNamesThoseThatExist() {
        runner.withPropertyValues(SENDER + "scheme=gitlab")
                .run(context -> assertThat(Analyses.of(context)).satisfies(analysis -> {
                    assertThat(analysis.getDescription())
                            .contains("credential.webhook.inbound.sender.scheme", "gitlab");
                    assertThat(analysis.getAction())
                            .contains("github, shopify, slack, standard-webhooks, stripe", "WebhookScheme");
                }));
    }

    @Test
    void startWhenTwoSchemesHaveOneNameThenRefused() {
        runner.withUserConfiguration(SecondGitHub.class)
                .withPropertyValues(SENDER + "scheme=github")
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("Two webhook schemes", "'github'"));
    }

    @Test
    void startWhenSchemeHasItsOwnAlgorithmThenRefused() {
        runner.withPropertyValues(SENDER + "scheme=github", SENDER + "algorithm=hmac-sha256-processor")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.sender.algorithm"));
    }

    @Test
    void startWhenSchemeHasItsOwnHeadersThenRefused() {
        runner.withPropertyValues(SENDER + "scheme=github", SENDER + "signature-header=X-Other")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.sender.signature-header"));
    }

    @Test
    void startWhenKeyHasAnotherFormThenNamesProperty() {
        runner.withPropertyValues(SENDER + "scheme=standard-webhooks")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.sender", "whsec_")
                        .doesNotContain("Everybody"));
    }

    @Test
    void startWhenTwoSendersOfSchemesShareAKeyThenRefused() {
        runner.withPropertyValues(
                        SENDER + "scheme=github",
                        "credential.webhook.inbound.other.paths=/other",
                        "credential.webhook.inbound.other.scheme=slack",
                        "credential.webhook.inbound.other.keys.v1=It's a Secret to Everybody")
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("the same key"));
    }

    /** Anyone can send signatures that take long to verify. */
    @Test
    void verifyWhenKeyIsPublicThenWaitsForItsTurn() {
        VerificationTurns one = new VerificationTurns(1, 0, Duration.ZERO);
        SignatureCheck costly = Guard.bounded(standard("whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="), one);
        SignatureCheck cheap = Guard.bounded(standard("whsec_" + "A".repeat(32)), one);
        SignatureCheck holding = one.bounding(request -> new PresentedSignature<>() {

            @Override
            public Object verify(byte @Nullable [] body, Runnable signatureChecked) {
                assertThatExceptionOfType(RuntimeException.class)
                        .isThrownBy(() -> costly.examine(standardRequest()))
                        .withMessageStartingWith("Too many signatures are being verified");
                return cheap.examine(standardRequest());
            }

            @Override
            public void abandon(String reason) {}
        });

        assertThat(holding.examine(standardRequest()).verify(HELLO)).isInstanceOf(PresentedSignature.class);
    }

    private static WebhookVerifier standard(String key) {
        return WebhookVerifier.builder()
                .scheme(WebhookSchemes.standardWebhooks())
                .key("v1", key)
                .clock(MutableClock.atNewYear())
                .build();
    }

    private static MockHttpServletRequest standardRequest() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hook");
        request.addHeader("webhook-id", "msg_1");
        request.addHeader(
                "webhook-timestamp", MutableClock.atNewYear().instant().getEpochSecond());
        request.addHeader("webhook-signature", "v1a,AAAA");
        return request;
    }

    /** It is written in another form there. */
    @Test
    void startWhenASenderHasTheDecodedKeyThenRefused() {
        runner.withPropertyValues(
                        "credential.webhook.inbound.standard.paths=/standard",
                        "credential.webhook.inbound.standard.scheme=standard-webhooks",
                        "credential.webhook.inbound.standard.keys.v1=whsec_" + "A".repeat(32),
                        "credential.webhook.inbound.other.paths=/other",
                        "credential.webhook.inbound.other.scheme=github",
                        "credential.webhook.inbound.other.keys.v1=base64:" + "A".repeat(32))
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("the same key"));
    }

    @Test
    void startWhenABeanHasOurNameThenRefused() {
        runner.withUserConfiguration(Impostor.class)
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("Two webhook schemes", "'processor'"));
    }

    @Test
    void startWhenSchemeHasNoPqcAlgorithmThenRefused() {
        runner.withPropertyValues(SENDER + "scheme=github", SENDER + "pqc-algorithm=ml-dsa-65")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.sender.pqc-algorithm"));
    }

    @Test
    void startWhenStandardKeyIsPublishedThenWarns(CapturedOutput output) {
        runner.withPropertyValues(
                        SENDER + "scheme=standard-webhooks",
                        SENDER + "keys.v1=whsec_ZGV2ZWxvcG1lbnQtb25seS1zdGFuZGFyZC1zZWNyZXQ=")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("published demonstration key").doesNotContain("ZGV2ZWxvcG1lbnQ");
    }

    @Configuration(proxyBeanMethods = false)
    static class Impostor {

        @Bean
        WebhookScheme processor() {
            return new Always("processor");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScheme {

        @Bean
        WebhookScheme always() {
            return new Always("always");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondGitHub {

        @Bean
        WebhookScheme github() {
            return new Always("github");
        }
    }

    /** Accepts every body that is not empty. */
    private record Always(String name) implements WebhookScheme {

        @Override
        public Verifier verifier(Map<String, SecretBytes> keys) {
            return head -> new Presented() {

                @Override
                public WebhookClaims claims() {
                    return new WebhookClaims(null, null, null, Set.of());
                }

                @Override
                public Match verify(byte[] body) {
                    if (body.length == 0) {
                        throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The body is empty");
                    }
                    return new Match(keys.keySet().iterator().next(), "none");
                }
            };
        }
    }
}
