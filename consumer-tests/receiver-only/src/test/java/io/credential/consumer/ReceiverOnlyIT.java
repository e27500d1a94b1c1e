package io.credential.consumer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Requests;
import io.credential.consumer.inspection.Started;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what an application gets with the starter for receivers. */
class ReceiverOnlyIT {

    private static final String SECRET = "a secret that the partner has, too";

    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "credential.webhook.inbound.partner.paths=/hooks/partner",
                "credential.webhook.inbound.partner.keys.v1=" + SECRET,
                "credential.webhook.inbound.partner.nonce-store=none"));
        for (WebhookScheme scheme : WebhookSchemes.all()) {
            String sender = "credential.webhook.inbound." + scheme.name();
            properties.add(sender + ".scheme=" + scheme.name());
            properties.add(sender + ".paths=/hooks/others/" + scheme.name());
            properties.add(sender + ".keys.v1=" + key(scheme.name()));
            properties.add(sender + ".nonce-store=memory");
        }
        application = Started.in(folder, ReceiverApplication.class, properties.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void requestThenNeedsSignature() {
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .build();

        assertThat(Requests.post(application, "/hooks/partner", BODY, signer.headers(BODY))
                        .body())
                .isEqualTo("v1 {}");
        assertThat(Requests.post(application, "/hooks/partner", BODY, Map.of()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void requestWhenSchemeIsForeignThenVerifiedOnce() throws GeneralSecurityException {
        for (WebhookScheme scheme : WebhookSchemes.all()) {
            Map<String, String> headers = signed(scheme.name());
            String path = "/hooks/others/" + scheme.name();

            assertThat(Requests.post(application, path, BODY, headers).body()).isEqualTo(scheme.name() + " {}");
            assertThat(Requests.post(application, path, BODY, headers).statusCode())
                    .isEqualTo(401);
            assertThat(Requests.post(application, path, BODY, Map.of()).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void beansThenNeitherDatabaseNorKeyring() {
        assertThat(Inspection.beans(application))
                .contains("credentialVerifierFactory")
                .noneMatch(name -> name.contains("Database") || name.contains("Keyring"))
                .noneMatch(name -> name.contains("Dispatcher") || name.contains("Sender") || name.contains("ApiKey"));
        assertThat(Inspection.hasClass("javax.sql.DataSource")).isTrue();
        assertThat(application.getBeanNamesForType(DataSource.class)).isEmpty();
    }

    @Test
    void filesThenNone() {
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void threadsThenCountOfRejectionsOnly() {
        assertThat(Inspection.threads()).containsExactly("credential-rejection-counts");
    }

    @Test
    void classPathThenNeitherHttpClientNorDatabase() {
        assertThat(Inspection.hasClass("io.credential.webhook.signature.WebhookVerifier"))
                .isTrue();
        assertThat(Inspection.hasClass("org.apache.hc.client5.http.impl.async.HttpAsyncClients"))
                .isFalse();
        assertThat(Inspection.hasClass("org.springframework.jdbc.core.JdbcTemplate"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.webhook.delivery.WebhookDispatcher"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.apikey.ApiKey")).isFalse();
        assertThat(Inspection.hasClass("io.credential.spring.console.ConsoleAutoConfiguration"))
                .isFalse();
    }

    /** Senders must not share a key. */
    private static String key(String scheme) {
        return "whsec_"
                + Base64.getEncoder().encodeToString((scheme + " ".repeat(24)).getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> signed(String scheme) throws GeneralSecurityException {
        String time = String.valueOf(Instant.now().getEpochSecond());
        byte[] key = key(scheme).getBytes(StandardCharsets.UTF_8);
        return switch (scheme) {
            case "standard-webhooks" ->
                Map.of(
                        "webhook-id",
                        "msg_1",
                        "webhook-timestamp",
                        time,
                        "webhook-signature",
                        "v1,"
                                + base64(hmac(
                                        Base64.getDecoder().decode(key(scheme).substring("whsec_".length())),
                                        "msg_1." + time + ".")));
            case "stripe" -> Map.of("Stripe-Signature", "t=" + time + ",v1=" + hex(hmac(key, time + ".")));
            case "github" -> Map.of("X-Hub-Signature-256", "sha256=" + hex(hmac(key, "")));
            case "shopify" -> Map.of("X-Shopify-Hmac-SHA256", base64(hmac(key, "")));
            default ->
                Map.of(
                        "X-Slack-Request-Timestamp",
                        time,
                        "X-Slack-Signature",
                        "v0=" + hex(hmac(key, "v0:" + time + ":")));
        };
    }

    private static byte[] hmac(byte[] key, String head) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update(head.getBytes(StandardCharsets.UTF_8));
        return mac.doFinal(BODY);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
