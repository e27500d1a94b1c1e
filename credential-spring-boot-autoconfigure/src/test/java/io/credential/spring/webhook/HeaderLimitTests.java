package io.credential.spring.webhook;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.bouncycastle.crypto.generators.SLHDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.SLHDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The longest signatures come in through real servers. */
class HeaderLimitTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);

    @TempDir
    private static Path directory;

    private static WebhookSigner signer;
    private static String[] properties = {};

    @BeforeAll
    static void keys() throws Exception {
        SLHDSAKeyPairGenerator generator = new SLHDSAKeyPairGenerator();
        generator.init(new SLHDSAKeyGenerationParameters(new SecureRandom(), SLHDSAParameters.shake_256f));
        var pair = generator.generateKeyPair();
        String privateKey = pem(
                "PRIVATE KEY",
                PrivateKeyInfoFactory.createPrivateKeyInfo(pair.getPrivate()).getEncoded());
        String publicKey = pem(
                "PUBLIC KEY",
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic())
                        .getEncoded());
        signer = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", privateKey, publicKey)
                .build();
        Path file = Files.writeString(directory.resolve("public.pem"), publicKey);
        properties = new String[] {
            "credential.webhook.inbound.pqc.paths=/hooks/pqc",
            "credential.webhook.inbound.pqc.algorithm=pqc-pem",
            "credential.webhook.inbound.pqc.keys.p1.public-key=file:" + file
        };
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void signatureWhenSlhDsaThenPassesThroughTheServer(Class<?> server) {
        SignedWebhook signed = signer.sign(BODY);
        String header = signed.headers().get("Webhook-Signature");
        assertThat(signed.signature()).hasSize(66_475);
        assertThat(header).endsWith(signed.signature());
        try (WebhookHost host = WebhookHost.start(server, properties)) {
            HttpResponse<String> answer =
                    host.send(host.post("/hooks/pqc", BODY).header("Webhook-Signature", header));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("pqc-pem");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void signaturesWhenTwoInHexThenPassThroughTheServer(Class<?> server) {
        String hex = "ab".repeat(49_856);
        String header = "t=1,id=x,p1=" + hex + ",p2=" + hex;
        try (WebhookHost host = WebhookHost.start(server, properties)) {
            HttpResponse<String> answer =
                    host.send(host.post("/hooks/pqc", BODY).header("Webhook-Signature", header));

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("webhook/expired");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void limitWhenNoPostQuantumKeysThenTheServersOwn(Class<?> server) {
        try (WebhookHost host = WebhookHost.start(server)) {
            assertThat(host.send(host.post("/hooks/partner/bytes", BODY)
                                    .header("Webhook-Signature", "x".repeat(20_000)))
                            .statusCode())
                    .isIn(400, 431);
        }
    }

    @Test
    void connectionsWhenHeadersAreLongThenMemoryIsBounded() {
        try (WebhookHost host = WebhookHost.start(OnTomcat.class, properties)) {
            AbstractHttp11Protocol<?> http = tomcat(host);

            assertThat((long) http.getMaxConnections() * http.getMaxHttpRequestHeaderSize())
                    .isBetween(32L << 20, 64L << 20);
        }
        try (WebhookHost host = WebhookHost.start(OnJetty.class, properties)) {
            NetworkConnectionLimit limit = jetty(host).getServer().getBean(NetworkConnectionLimit.class);

            assertThat(limit.getMaxNetworkConnectionCount()).isEqualTo(323);
        }
    }

    @Test
    void connectionsWhenConfiguredThenKept() {
        String[] all = java.util.Arrays.copyOf(properties, properties.length + 1);
        all[properties.length] = "server.tomcat.max-connections=5000";
        try (WebhookHost host = WebhookHost.start(OnTomcat.class, all)) {
            assertThat(tomcat(host).getMaxConnections()).isEqualTo(5000);
        }
    }

    @Test
    void connectionsWhenNoPostQuantumKeysThenTheServersOwn() {
        try (WebhookHost host = WebhookHost.start(OnTomcat.class)) {
            assertThat(tomcat(host).getMaxConnections()).isEqualTo(8192);
            assertThat(tomcat(host).getMaxHttpRequestHeaderSize()).isEqualTo(8192);
        }
    }

    private static AbstractHttp11Protocol<?> tomcat(WebhookHost host) {
        TomcatWebServer server = (TomcatWebServer) webServer(host);
        return (AbstractHttp11Protocol<?>) server.getTomcat().getConnector().getProtocolHandler();
    }

    private static JettyWebServer jetty(WebhookHost host) {
        return (JettyWebServer) webServer(host);
    }

    private static WebServer webServer(WebhookHost host) {
        return Objects.requireNonNull(((ServletWebServerApplicationContext) host.context()).getWebServer());
    }

    @Test
    void startWhenLimitIsTooLowThenRefused() {
        String[] all = java.util.Arrays.copyOf(properties, properties.length + 1);
        all[properties.length] = "server.max-http-request-header-size=64KB";

        Throwable failure = catchThrowable(() -> WebhookHost.start(OnTomcat.class, all));

        assertThat(Analyses.of(failure).getDescription())
                .contains("'server.max-http-request-header-size' is 65536 bytes")
                .contains("207616 bytes");
        assertThat(Analyses.of(failure).getAction()).contains("207616B or more");
    }

    private static String pem(String type, byte[] encoded) throws Exception {
        java.io.StringWriter text = new java.io.StringWriter();
        try (var writer = new org.bouncycastle.util.io.pem.PemWriter(text)) {
            writer.writeObject(new PemObject(type, encoded));
        }
        return text.toString();
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(HookController.class)
    static class OnJetty {}
}
