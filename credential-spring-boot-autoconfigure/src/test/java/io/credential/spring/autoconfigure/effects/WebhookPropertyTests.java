package io.credential.spring.autoconfigure.effects;

import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.generators.MLDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.MLDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import com.sun.net.httpserver.HttpServer;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.spring.autoconfigure.sender.WebhookSenderAutoConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.WebhookSender;
import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifiers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What properties of signers and of incoming webhooks do in an application. */
class WebhookPropertyTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";
    private static final String PARTNER = "credential.webhook.inbound.partner.";
    private static final String KEY = "keys.v1=0123456789abcdef";

    @TempDir
    private Path directory;

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.bare()
                .withConfiguration(
                        AutoConfigurations.of(WebhookAutoConfiguration.class, WebhookSenderAutoConfiguration.class))
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withBean(AuditSink.class, () -> events::add)
                .withPropertyValues(properties);
    }

    private static SignedWebhook sign(ApplicationContext context) {
        return context.getBean(WebhookSigners.class).get("outbound").sign(BODY);
    }

    private static VerifiedWebhook verify(ApplicationContext context, SignedWebhook signed) {
        Map.Entry<String, String> header =
                signed.headers().entrySet().iterator().next();
        return context.getBean(WebhookVerifiers.class)
                .get("partner")
                .verify(BODY, Map.of(header.getKey(), List.of(header.getValue())));
    }

    private static void assertRefused(ApplicationContext context, SignedWebhook signed, String code) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> verify(context, signed))
                .returns(code, WebhookException::code);
    }

    private ApplicationContextRunner pair(String... properties) {
        return runner(OUTBOUND + KEY, PARTNER + KEY, PARTNER + "paths=/hook").withPropertyValues(properties);
    }

    @Test
    void signWhenAlgorithmAndKeyPairAreSetThenVerifies() throws IOException {
        pqc().run(context -> {
            assertThat(verify(context, sign(context)).algorithm()).isEqualTo("pqc-pem");
        });
    }

    @Test
    void startWhenPqcAlgorithmIsAnotherThenFails() throws IOException {
        pqc().withPropertyValues(OUTBOUND + "pqc-algorithm=ml-dsa-65", PARTNER + "pqc-algorithm=ml-dsa-65")
                .run(context -> assertThat(context).hasNotFailed());
        for (String side : List.of(OUTBOUND, PARTNER)) {
            pqc().withPropertyValues(side + "pqc-algorithm=ml-dsa-87")
                    .run(context -> assertThat(Analyses.of(context).getDescription())
                            .contains("webhook/bad-alg", "ml-dsa-65", "ml-dsa-87"));
        }
    }

    private ApplicationContextRunner pqc() throws IOException {
        MLDSAKeyPairGenerator generator = new MLDSAKeyPairGenerator();
        generator.init(new MLDSAKeyGenerationParameters(new SecureRandom(), MLDSAParameters.ml_dsa_65));
        AsymmetricCipherKeyPair pair = generator.generateKeyPair();
        Path privateKey = pem(
                "PRIVATE KEY",
                PrivateKeyInfoFactory.createPrivateKeyInfo(pair.getPrivate()).getEncoded());
        Path publicKey = pem(
                "PUBLIC KEY",
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic())
                        .getEncoded());
        return runner(
                OUTBOUND + "algorithm=pqc-pem",
                OUTBOUND + "keys.p1.private-key=file:" + privateKey,
                OUTBOUND + "keys.p1.public-key=file:" + publicKey,
                PARTNER + "paths=/hook",
                PARTNER + "algorithm=pqc-pem",
                PARTNER + "keys.p1.public-key=file:" + publicKey);
    }

    private Path pem(String type, byte[] encoded) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, encoded));
        }
        return Files.writeString(directory.resolve(type), text.toString());
    }

    @Test
    void signWhenDefaultKidIsConfiguredThenThatKeySigns() {
        runner(OUTBOUND + KEY, OUTBOUND + "keys.v2=fedcba9876543210", OUTBOUND + "default-kid=v2")
                .run(context -> assertThat(sign(context).kid()).isEqualTo("v2"));
    }

    @Test
    void signatureWhenHeaderIsConfiguredThenTravelsInIt() {
        pair(OUTBOUND + "signature-header=X-Signature", PARTNER + "signature-header=X-Signature")
                .run(context -> {
                    SignedWebhook signed = sign(context);
                    assertThat(signed.headers()).containsOnlyKeys("X-Signature");
                    assertThat(verify(context, signed).id()).isEqualTo(signed.id());
                });
        pair(PARTNER + "signature-header=X-Signature")
                .run(context -> assertRefused(context, sign(context), "webhook/missing-header"));
    }

    @Test
    void verifyWhenOlderThanToleranceThenExpired() {
        pair(PARTNER + "tolerance=30m").run(context -> {
            SignedWebhook signed = sign(context);
            clock.advance(Duration.ofMinutes(29));
            assertThat(verify(context, signed).id()).isEqualTo(signed.id());
            clock.advance(Duration.ofMinutes(2));
            assertRefused(context, signed, "webhook/expired");
        });
    }

    @Test
    void verifyWhenFurtherAheadThanClockSkewThenFuture() {
        pair(PARTNER + "clock-skew=10m").run(context -> {
            SignedWebhook signed = sign(context);
            clock.advance(Duration.ofMinutes(-9));
            assertThat(verify(context, signed).id()).isEqualTo(signed.id());
            clock.advance(Duration.ofMinutes(-2));
            assertRefused(context, signed, "webhook/future");
        });
    }

    @Test
    void signWhenAuditOfSuccessesIsOffThenNoEvent() {
        runner(OUTBOUND + KEY, OUTBOUND + "audit-success=false").run(context -> {
            sign(context);
            assertThat(events).isEmpty();
        });
    }

    @Test
    void signWhenAuditOfFailuresIsOffThenNoEvent() {
        for (boolean audited : List.of(true, false)) {
            events.clear();
            runner(OUTBOUND + KEY, OUTBOUND + "audit-failures=" + audited).run(context -> {
                assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(() -> context.getBean(WebhookSigners.class)
                                .get("outbound")
                                .sign(null));
                assertThat(events).hasSize(audited ? 1 : 0);
            });
        }
    }

    @Test
    void verifyWhenAuditOfSuccessesIsOffThenNoEvent() {
        for (boolean audited : List.of(true, false)) {
            events.clear();
            pair(OUTBOUND + "audit-success=false", PARTNER + "audit-success=" + audited)
                    .run(context -> {
                        verify(context, sign(context));
                        AuditQueues.drain(context);
                        assertThat(events).hasSize(audited ? 1 : 0);
                    });
        }
    }

    @Test
    void verifyWhenAuditOfFailuresIsOffThenNoEvent() {
        for (boolean audited : List.of(true, false)) {
            events.clear();
            pair(OUTBOUND + "audit-success=false", PARTNER + "audit-failures=" + audited)
                    .run(context -> {
                        SignedWebhook signed = sign(context);
                        clock.advance(Duration.ofDays(1));
                        assertRefused(context, signed, "webhook/expired");
                        AuditQueues.drain(context);
                        assertThat(events).hasSize(audited ? 1 : 0);
                    });
        }
    }

    /**
     * One signer pauses for minutes; another comes through all its pauses meanwhile, though the receiver asks for an
     * hour each time.
     */
    @Test
    void sendWhenPausesAreConfiguredThenTakesThem() throws IOException {
        AtomicInteger slow = new AtomicInteger();
        AtomicInteger quick = new AtomicInteger();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            (exchange.getRequestURI().getPath().equals("/slow") ? slow : quick).incrementAndGet();
            exchange.getResponseHeaders().add("Retry-After", "3600");
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        receiver.start();
        URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort());
        try {
            runner(
                            "credential.webhook.dispatcher.allowed-cidrs=127.0.0.1",
                            OUTBOUND + KEY,
                            OUTBOUND + "retry.initial=8m",
                            OUTBOUND + "retry.max=8m",
                            "credential.webhook.signers.quick." + KEY,
                            "credential.webhook.signers.quick.retry.initial=1ms",
                            "credential.webhook.signers.quick.retry.max=100ms",
                            "credential.webhook.signers.quick.retry.max-attempts=20",
                            "credential.webhook.signers.quick.http.connect-timeout=5m",
                            "credential.webhook.signers.quick.http.request-timeout=5m")
                    .run(context -> {
                        WebhookSigners signers = context.getBean(WebhookSigners.class);
                        WebhookSender sender = context.getBean(WebhookSender.class);
                        Thread sending = new Thread(
                                () -> assertGivenUp(sender, signers.get("outbound"), url.resolve("/slow")),
                                "slow-signer");
                        sending.start();
                        Patience.until(() -> slow.get() == 1);
                        assertGivenUp(sender, signers.get("quick"), url.resolve("/quick"));

                        assertThat(quick).hasValue(20);
                        assertThat(slow).hasValue(1);
                        sending.interrupt();
                        Patience.join(sending);
                        assertThat(slow).hasValue(1);
                    });
        } finally {
            receiver.stop(0);
        }
    }

    private static void assertGivenUp(WebhookSender sender, WebhookSigner signer, URI url) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> sender.send(signer, url, BODY))
                .returns("webhook/send-failed", WebhookException::code);
    }
}
