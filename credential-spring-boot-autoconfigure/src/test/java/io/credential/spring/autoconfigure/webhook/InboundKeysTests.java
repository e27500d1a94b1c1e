package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.WebhookVerifiers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which keys and nonce stores of senders are accepted, and what is warned about. */
@ExtendWith(OutputCaptureExtension.class)
class InboundKeysTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef";
    private static final String PARTNER = "credential.webhook.inbound.partner.";
    private static final String PAYMENTS = "credential.webhook.inbound.payments.";

    @TempDir
    private Path directory;

    private final ApplicationContextRunner runner = StarterRunner.bare()
            .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
            .withPropertyValues(PARTNER + "paths=/hook", PARTNER + "nonce-store=memory");

    @Test
    void startWhenTwoSendersShareAKeyThenRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), SECRET);
        runner.withPropertyValues(
                        PARTNER + "keys.v1=another key, long enough",
                        PARTNER + "keys.v2=base64:MDEyMzQ1Njc4OWFiY2RlZg==",
                        PAYMENTS + "paths=/payments",
                        PAYMENTS + "keys.k1=file:" + file)
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("'partner' (kid 'v2')", "'payments' (kid 'k1')", "the same key")
                        .doesNotContain(SECRET));
    }

    @Test
    void startWhenAProcessorSharesAKeyThenRefused() {
        runner.withPropertyValues(
                        PARTNER + "keys.v1=" + SECRET,
                        PAYMENTS + "paths=/payments",
                        PAYMENTS + "algorithm=hmac-sha256-processor",
                        PAYMENTS + "keys.k1=" + SECRET)
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("'partner'", "'payments'", "the same key"));
    }

    @Test
    void startWhenMemoryIsAskedForInAClusterThenRefused() {
        runner.withPropertyValues(PARTNER + "keys.v1=" + SECRET, "credential.mode=cluster")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.partner.nonce-store", "memory"));
    }

    @Test
    void startWhenReplaysAreNotRefusedThenWarnsOnce(CapturedOutput output) {
        runner.withPropertyValues(
                        PARTNER + "keys.v1=" + SECRET,
                        PARTNER + "nonce-store=none",
                        PAYMENTS + "paths=/payments",
                        PAYMENTS + "keys.v1=another key, long enough")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).containsOnlyOnce("have no nonce store").contains("[partner, payments]");
    }

    @Test
    void startWhenReplaysAreRefusedThenNoWarning(CapturedOutput output) {
        runner.withPropertyValues(PARTNER + "keys.v1=" + SECRET)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("nonce store", "demonstration");
    }

    @Test
    void startWhenAKeyIsThePathOfAFileThenRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), SECRET);
        runner.withPropertyValues(PARTNER + "keys.v1=" + file).run(context -> {
            assertThat(Analyses.of(context).getDescription())
                    .contains("credential.webhook.inbound.partner.keys.v1", "path")
                    .doesNotContain(file.toString());
            assertThat(Analyses.of(context).getAction()).contains("file:");
        });
    }

    @Test
    void startWhenAKeyIsTheNameOfAFileThenRefused() {
        assertThat(Path.of("pom.xml")).as("in the directory of the tests").isRegularFile();
        runner.withPropertyValues(PARTNER + "keys.v1=pom.xml")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("credential.webhook.inbound.partner.keys.v1", "path"));
    }

    @Test
    void startWhenNoServletsThenWarnsThatPathsAreOpen(CapturedOutput output) {
        runner.withPropertyValues(PARTNER + "keys.v1=" + SECRET)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).containsOnlyOnce("not protected, because this is not a servlet application");
    }

    @Test
    void startWhenNoServletsAndBeansAreLazyThenStillWarns(CapturedOutput output) {
        runner.withPropertyValues(PARTNER + "keys.v1=" + SECRET)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).containsOnlyOnce("not protected, because this is not a servlet application");
    }

    @Test
    void startWhenThereAreServletsThenNoWarning(CapturedOutput output) {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CredentialAutoConfiguration.class, WebhookAutoConfiguration.class))
                .withPropertyValues(
                        PARTNER + "paths=/hook", PARTNER + "nonce-store=memory", PARTNER + "keys.v1=" + SECRET)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("not protected");
    }

    @Test
    void startWhenAKeyIsPublishedThenWarns(CapturedOutput output) throws IOException {
        Path file = Files.writeString(directory.resolve("development-only-secret"), SECRET);
        runner.withPropertyValues(
                        PARTNER + "keys.v1=development-only-partner-secret",
                        PAYMENTS + "paths=/payments",
                        PAYMENTS + "keys.v1=file:" + file)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains("'credential.webhook.inbound.partner.keys.v1' is a published demonstration key")
                .contains("'credential.webhook.inbound.payments.keys.v1' is a published demonstration key")
                .doesNotContain("development-only-partner-secret");
    }

    @Test
    void processorWhenConfiguredThenFoundByItsName() {
        runner.withPropertyValues(
                        PARTNER + "keys.v1=" + SECRET,
                        PAYMENTS + "paths=/payments",
                        PAYMENTS + "algorithm=hmac-sha256-processor",
                        PAYMENTS + "signature-header=Stripe-Signature",
                        PAYMENTS + "nonce-store=memory",
                        PAYMENTS + "keys.k1=another key, long enough")
                .run(context -> {
                    ProcessorSignature payments =
                            context.getBean(ProcessorSignatures.class).get("payments");
                    Map<String, List<String>> headers = Map.of("stripe-signature", List.of(payments.sign(BODY)));

                    assertThat(payments.verify(BODY, headers).sender()).isEqualTo("payments");
                    assertThatExceptionOfType(WebhookException.class)
                            .isThrownBy(() -> payments.verify(BODY, headers))
                            .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/replay"));
                });
    }

    @Test
    void getWhenTheNameIsMissingThenItsCode() {
        runner.withPropertyValues(PARTNER + "keys.v1=" + SECRET).run(context -> {
            for (String name : new String[] {null, "", "other"}) {
                assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(
                                () -> context.getBean(ProcessorSignatures.class).get(name))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/bad-opt"));
                assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(
                                () -> context.getBean(WebhookVerifiers.class).get(name))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/bad-opt"));
            }
        });
    }
}
