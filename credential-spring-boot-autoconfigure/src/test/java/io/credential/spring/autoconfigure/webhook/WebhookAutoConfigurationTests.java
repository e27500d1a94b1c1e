package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebhookAutoConfigurationTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String PARTNER = "credential.webhook.inbound.partner.";
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";

    @TempDir
    private Path directory;

    private final ApplicationContextRunner runner =
            StarterRunner.bare().withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class));

    @Test
    void getWhenNothingIsConfiguredThenNamesTheProperty() {
        runner.run(context -> {
            assertThatExceptionOfType(WebhookException.class)
                    .isThrownBy(() -> context.getBean(WebhookSigners.class).get("outbound"))
                    .withMessageContaining("credential.webhook.signers.outbound");
            assertThatExceptionOfType(WebhookException.class)
                    .isThrownBy(() -> context.getBean(WebhookVerifiers.class).get("partner"))
                    .withMessageContaining("credential.webhook.inbound.partner");
            assertThat(context).doesNotHaveBean(CredentialDatabase.class);
        });
    }

    @Test
    void verifyWhenKeyIsWrittenDifferentlyThenAccepts() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
        runner.withPropertyValues(
                        OUTBOUND + "keys.v1=base64:MDEyMzQ1Njc4OWFiY2RlZg==",
                        PARTNER + "paths=/hook",
                        PARTNER + "keys.v1=file:" + file)
                .run(context -> {
                    SignedWebhook signed = context.getBean(WebhookSigners.class)
                            .get("outbound")
                            .sign(BODY);
                    assertThat(context.getBean(WebhookVerifiers.class)
                                    .get("partner")
                                    .verify(BODY, lines(signed))
                                    .id())
                            .isEqualTo(signed.id());
                });
    }

    @Test
    void nonceStoreWhenJdbcThenDatabaseButNoKeyring() {
        runner.withPropertyValues(
                        OUTBOUND + "keys.v1=0123456789abcdef",
                        PARTNER + "paths=/hook",
                        PARTNER + "keys.v1=0123456789abcdef",
                        PARTNER + "nonce-store=jdbc",
                        "credential.storage.path=" + directory.resolve("nonces.db"))
                .run(context -> {
                    assertThat(context).hasSingleBean(CredentialDatabase.class).doesNotHaveBean(Keyring.class);
                    SignedWebhook signed = context.getBean(WebhookSigners.class)
                            .get("outbound")
                            .sign(BODY);
                    var verifier = context.getBean(WebhookVerifiers.class).get("partner");
                    verifier.verify(BODY, lines(signed));
                    assertThatExceptionOfType(WebhookException.class)
                            .isThrownBy(() -> verifier.verify(BODY, lines(signed)))
                            .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/replay"));
                });
    }

    @Test
    void startWhenKeyCannotBeReadThenFails() {
        runner.withPropertyValues(PARTNER + "paths=/hook", PARTNER + "keys.v1=file:" + directory.resolve("missing"))
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("'credential.webhook.inbound.partner.keys.v1' cannot be read"));
    }

    @Test
    void startWhenKeyIsNotBase64ThenFailsWithoutShowingIt() {
        runner.withPropertyValues(OUTBOUND + "keys.v1=base64:not!base64")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("'credential.webhook.signers.outbound.keys.v1' is not valid base64")
                        .doesNotContain("not!base64"));
    }

    @Test
    @SuppressWarnings("NullAway") // null is what the test passes
    void getWhenNameIsMissingThenCodedError() {
        runner.run(context -> {
            for (String name : Arrays.asList(null, "")) {
                assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(() -> context.getBean(WebhookSigners.class).get(name))
                        .returns("webhook/bad-opt", WebhookException::code);
                assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(
                                () -> context.getBean(WebhookVerifiers.class).get(name))
                        .returns("webhook/bad-opt", WebhookException::code);
            }
        });
    }

    @Test
    void verifyWhenAuditedThenOnAnotherThread() {
        List<String> threads = new CopyOnWriteArrayList<>();
        runner.withBean(
                        AuditSink.class,
                        () -> event -> threads.add(Thread.currentThread().getName()))
                .withPropertyValues(PARTNER + "paths=/hook", PARTNER + "keys.v1=0123456789abcdef")
                .run(context -> {
                    WebhookVerifier verifier =
                            context.getBean(WebhookVerifiers.class).get("partner");
                    assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> verifier.verify(BODY, Map.of()));
                    AuditQueues.drain(context);
                    assertThat(threads).containsExactly("credential-audit");
                });
    }

    @Test
    void closeWhenRejectionsWereCountedThenReported() {
        List<AuditEvent> events = new CopyOnWriteArrayList<>();
        runner.withBean(AuditSink.class, () -> events::add)
                .withPropertyValues(PARTNER + "paths=/hook", PARTNER + "keys.v1=0123456789abcdef")
                .run(context -> {
                    WebhookVerifier verifier =
                            context.getBean(WebhookVerifiers.class).get("partner");
                    for (int i = 0; i < 3; i++) {
                        assertThatExceptionOfType(WebhookException.class)
                                .isThrownBy(() -> verifier.verify(BODY, Map.of()));
                    }
                    AuditQueues.drain(context);
                    assertThat(events).hasSize(1);
                });

        assertThat(events)
                .hasSize(2)
                .last()
                .satisfies(count -> assertThat(count.attributes()).containsEntry("count", 2L));
    }

    @Test
    void signersWhenApplicationHasThemThenAreUsed() {
        WebhookSigners signers = name -> {
            throw new IllegalStateException(name);
        };
        runner.withBean("own", WebhookSigners.class, () -> signers)
                .run(context ->
                        assertThat(context.getBean(WebhookSigners.class)).isSameAs(signers));
    }

    private static Map<String, List<String>> lines(SignedWebhook signed) {
        return Map.of("webhook-signature", List.of(signed.headers().get("Webhook-Signature")));
    }
}
