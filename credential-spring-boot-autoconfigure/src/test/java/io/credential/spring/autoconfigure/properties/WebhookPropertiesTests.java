package io.credential.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties.Http;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties.Retry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class WebhookPropertiesTests {

    private static final String SECRET = "not-to-be-shown-anywhere";
    private static final String PARTNER = "credential.webhook.inbound.partner.";
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class))
            .withPropertyValues(
                    PARTNER + "paths=/hooks/partner", PARTNER + "keys.v1=" + SECRET, OUTBOUND + "keys.v1=" + SECRET);

    @Test
    void bindWhenInboundHasOnlyPathAndKeyThenDefaults() {
        runner.run(context -> {
            WebhookInboundProperties partner = webhook(context.getBean(WebhookProperties.class));
            assertThat(partner.algorithm()).isEqualTo(Algorithm.HMAC_SHA3_512);
            assertThat(partner.tolerance()).isEqualTo(Duration.ofMinutes(5));
            assertThat(partner.clockSkew()).isEqualTo(Duration.ofMinutes(1));
            assertThat(partner.effectiveSignatureHeader()).isEqualTo("Webhook-Signature");
            assertThat(partner.nonceStore()).isEqualTo(NonceStoreKind.NONE);
            assertThat(partner.maxBodySize()).isEqualTo(DataSize.ofMegabytes(1));
            assertThat(partner.auditSuccess()).isTrue();
            assertThat(partner.auditFailures()).isTrue();
        });
    }

    @Test
    void bindWhenSignerHasOnlyAKeyThenDefaultRetryAndHttp() {
        runner.run(context -> {
            assertThat(context.getBean(WebhookProperties.class).signers()).hasEntrySatisfying("outbound", outbound -> {
                assertThat(outbound.retry()).isEqualTo(new Retry(Duration.ofMillis(500), Duration.ofSeconds(10), 3));
                assertThat(outbound.http()).isEqualTo(new Http(Duration.ofSeconds(5), Duration.ofSeconds(15), null));
            });
        });
    }

    @Test
    void toStringThenShowsNoKey() {
        runner.withPropertyValues(
                        "credential.webhook.inbound.pqc.paths=/hooks/pqc",
                        "credential.webhook.inbound.pqc.algorithm=pqc-pem",
                        "credential.webhook.inbound.pqc.keys.p1.public-key=" + SECRET)
                .run(context -> assertThat(
                                context.getBean(WebhookProperties.class).toString())
                        .contains("partner", "pqc", "outbound")
                        .doesNotContain(SECRET));
    }

    @Test
    void keysWhenKidHasCapitalsAndPunctuationThenIsKept() {
        runner.withPropertyValues(PARTNER + "keys[Key_1/a]=" + SECRET)
                .run(context -> assertThat(webhook(context.getBean(WebhookProperties.class))
                                .keys())
                        .containsOnlyKeys("v1", "Key_1/a"));
    }

    @Test
    void signatureHeaderWhenProcessorThenIsItsOwn() {
        runner.withPropertyValues(PARTNER + "algorithm=hmac-sha256-processor")
                .run(context -> assertThat(webhook(context.getBean(WebhookProperties.class))
                                .effectiveSignatureHeader())
                        .isEqualTo("Processor-Signature"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            credential.webhook.inbound.partner.paths            | hooks
            credential.webhook.inbound.partner.paths            | /hooks/${NO_SUCH_NAME}
            credential.webhook.inbound.partner.pqc-algorithm    | ml-dsa-65
            credential.webhook.inbound.partner.tolerance        | 0s
            credential.webhook.inbound.partner.clock-skew       | -1s
            credential.webhook.inbound.partner.signature-header | a b
            credential.webhook.inbound.partner.signature-header | content-type
            credential.webhook.signers.outbound.signature-header | X-WEBHOOK-DELIVERY-ID
            credential.webhook.signers.outbound.signature-header | Host
            credential.webhook.inbound.partner.max-body-size    | 257MB
            credential.webhook.signers.outbound.default-kid     | v2
            credential.webhook.signers.outbound.algorithm       | hmac-sha256-processor
            credential.webhook.signers.outbound.pqc-algorithm   | ml-dsa-65
            credential.webhook.signers.outbound.retry.max-attempts | 0
            credential.webhook.signers.outbound.retry.max-attempts | 21
            credential.webhook.signers.outbound.retry.initial   | 0ms
            credential.webhook.signers.outbound.retry.initial   | 601s
            credential.webhook.signers.outbound.retry.max       | 499ms
            credential.webhook.signers.outbound.retry.max       | 601s
            credential.webhook.signers.outbound.http.connect-timeout | 0ms
            credential.webhook.signers.outbound.http.connect-timeout | 601s
            credential.webhook.signers.outbound.http.request-timeout | 0ms
            credential.webhook.signers.outbound.http.request-timeout | 601s
            """)
    void startWhenValueIsInvalidThenNamesTheProperty(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                refusal -> assertThat(refusal.getName()).isEqualTo(property)));
    }

    @Test
    void startWhenProcessorToleranceIsShortThenRefused() {
        assertThat(refusal(PARTNER + "algorithm=hmac-sha256-processor", PARTNER + "tolerance=29s")
                        .getDescription())
                .contains(PARTNER + "tolerance");
    }

    @Test
    void startWhenPublicKeyIsASecretThenRefusedButNotShown() {
        FailureAnalysis refusal = refusal(PARTNER + "algorithm=pqc-pem");

        assertThat(refusal.getDescription()).contains(PARTNER + "keys.v1").doesNotContain(SECRET);
        assertThat(refusal.getAction()).contains(PARTNER + "keys.v1.public-key").doesNotContain(SECRET);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            signers.outbound | hmac-sha3-512         | v1:                                | keys.v1
            signers.outbound | hmac-sha3-512         | v1: {}                             | keys.v1
            signers.outbound | hmac-sha3-512         | v1: {private-key: a, public-key: b} | keys.v1
            signers.outbound | pqc-pem               | v1:                                | keys.v1.public-key
            signers.outbound | pqc-pem               | v1: {}                             | keys.v1.public-key
            signers.outbound | pqc-pem               | v1: {private-key: a}               | keys.v1.public-key
            signers.outbound | pqc-pem               | v1: {private-key: a, public-key: } | keys.v1.public-key
            signers.outbound | pqc-pem               | v1: {public-key: b}                | keys.v1.private-key
            signers.outbound | pqc-pem               | v1: {private-key: , public-key: b} | keys.v1.private-key
            inbound.partner  | pqc-pem               | v1: {public-key: }                 | keys.v1.public-key
            inbound.partner  | hmac-sha256-processor | v1:                                | keys.v1
            inbound.partner  | hmac-sha256-processor | v1: {public-key: b}                | keys.v1
            """)
    void startWhenYamlLacksPartOfKeyThenNamesIt(String entry, String algorithm, String key, String property) {
        String yaml = """
                credential.webhook.%s:
                  %s
                  algorithm: %s
                  keys:
                    %s
                """.formatted(entry, entry.startsWith("inbound") ? "paths: /hooks" : "", algorithm, key);

        assertThat(startWith(yaml))
                .rootCause()
                .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        refusal -> assertThat(refusal.getName())
                                .isEqualTo("credential.webhook." + entry + "." + property));
    }

    @Test
    void startWhenYamlKeyIsANumberThenAsksForQuotes() {
        Throwable failure = startWith("credential.webhook.signers.outbound.keys: {v1: 1234567890123456}");

        assertThat(Analyses.of(failure).getDescription())
                .contains("'credential.webhook.signers.outbound.keys.v1'", "must be text", "in quotes")
                .doesNotContain("1234567890123456");
    }

    private static Throwable startWith(String yaml) {
        Throwable[] failure = new Throwable[1];
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class))
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(yaml(yaml)))
                .run(context -> failure[0] = requireNonNull(context.getStartupFailure()));
        return failure[0];
    }

    private static PropertySource<?> yaml(String text) {
        try {
            return new YamlPropertySourceLoader()
                    .load("test", new ByteArrayResource(text.getBytes(UTF_8)))
                    .get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void startWhenTwoKeysHaveNoDefaultKidThenRefused() {
        assertThat(refusal(OUTBOUND + "keys.v2=" + SECRET).getDescription()).contains(OUTBOUND + "default-kid");
    }

    @Test
    void startWhenNonceStoreIsUnknownThenListsTheKnown() {
        assertThat(refusal(PARTNER + "nonce-store=file").getAction())
                .isEqualTo("Write one of: none, memory, jdbc, redis.");
    }

    @Test
    void startWhenPropertyIsMisspelledThenNamesTheRightOne() {
        FailureAnalysis refusal = refusal(PARTNER + "tolerence=5m");

        assertThat(refusal.getDescription()).contains(PARTNER + "tolerence");
        assertThat(refusal.getAction()).contains("Did you mean '" + PARTNER + "tolerance'?");
    }

    private FailureAnalysis refusal(String... properties) {
        FailureAnalysis[] analysis = new FailureAnalysis[1];
        runner.withPropertyValues(properties).run(context -> analysis[0] = Analyses.of(context));
        return analysis[0];
    }

    private static WebhookInboundProperties webhook(WebhookProperties properties) {
        WebhookInboundProperties partner = properties.inbound().get("partner");
        if (partner == null) {
            throw new AssertionError("The webhook is not there");
        }
        return partner;
    }
}
