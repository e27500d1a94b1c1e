package io.credential.sample;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;

import io.credential.sample.Api.Answer;
import io.credential.testing.InParallel;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** How incoming webhooks are verified. They are signed with the JDK alone, except with ML-DSA. */
@SampleTest
class HookIT {

    private static final String PARTNER_SECRET = "development-only-partner-secret";
    private static final String PROCESSOR_SECRET = "development-only-processor-secret";
    private static final String BODY = "{\"event\":\"order.created\",\"item\":\"Käse\"}";

    private final Api api;

    HookIT(RunningSample running) {
        api = running.api;
    }

    @Test
    void partnerRequestThenNeedsNoKeyButASignature() {
        long now = Instant.now().getEpochSecond();
        String id = freshId();

        Answer answer = post("/hooks/partner", "Webhook-Signature", partner(now, id, BODY), BODY);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("algorithm", "kid", "timestamp", "id");
        assertThat(answer.text("algorithm")).isEqualTo("hmac-sha3-512");
        assertThat(answer.text("kid")).isEqualTo("v1");
        assertThat(answer.json().required("timestamp").asLong()).isEqualTo(now);
        assertThat(answer.text("id")).isEqualTo(id);
    }

    @Test
    void postQuantumRequestThenIsVerifiedByThePublicKey() throws IOException {
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair(
                        "v1",
                        resource("/development-only-ml-dsa-65-private.pem"),
                        resource("/development-only-ml-dsa-65-public.pem"))
                .build();
        String header =
                Objects.requireNonNull(signer.headers(BODY.getBytes(UTF_8)).get("Webhook-Signature"));

        Answer answer = post("/hooks/pqc", "Webhook-Signature", header, BODY);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("algorithm")).isEqualTo("pqc-pem");
        assertRefused(post("/hooks/pqc", "Webhook-Signature", header, BODY), "webhook/replay");
        assertRefused(post("/hooks/pqc", "Webhook-Signature", header, BODY + " "), "webhook/bad-signature");
    }

    @Test
    void processorRequestThenIsVerifiedByItsOwnHeader() {
        long now = Instant.now().getEpochSecond();
        String body = "{\"id\":\"" + freshId() + "\"}";
        String header = "t=" + now + ",v1=" + hmac("HmacSHA256", PROCESSOR_SECRET, now + "." + body);

        Answer answer = post("/hooks/processor", "Processor-Signature", header, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("timestamp", "scheme");
        assertThat(answer.json().required("timestamp").asLong()).isEqualTo(now);
        assertThat(answer.text("scheme")).isEqualTo("v1");
        assertRefused(post("/hooks/processor", "Processor-Signature", header, body), "webhook/replay");
    }

    @Test
    void requestWhenSignatureIsNotValidThenRefused() {
        long now = Instant.now().getEpochSecond();
        String header = partner(now, freshId(), BODY);

        assertRefused(api.postText("/hooks/partner", BODY), "webhook/missing-header");
        assertRefused(
                post("/hooks/partner", "Webhook-Signature", header, BODY.replace('ä', 'a')), "webhook/bad-signature");
        assertRefused(
                post("/hooks/partner", "Webhook-Signature", header.replace("v1=", "v2="), BODY), "webhook/unknown-kid");
        assertRefused(
                post("/hooks/partner", "Webhook-Signature", partner(now - 301, freshId(), BODY), BODY),
                "webhook/expired");
        assertRefused(
                post("/hooks/partner", "Webhook-Signature", partner(now + 3600, freshId(), BODY), BODY),
                "webhook/future");
    }

    @Test
    void apiKeyThenIsNoSignature() {
        assertRefused(
                api.with("bk_live_0123456789abcdef_" + "ab".repeat(16)).postText("/hooks/partner", BODY),
                "webhook/missing-header");
    }

    @Test
    void deliveryWhenManyOfOneIdAtOnceThenOneIsAccepted() {
        String header = partner(Instant.now().getEpochSecond(), freshId(), BODY);

        List<String> answers = InParallel.run(64, () -> {
            Answer answer = post("/hooks/partner", "Webhook-Signature", header, BODY);
            return answer.status() == 200 ? "200" : answer.status() + " " + answer.text("code");
        });

        assertThat(Collections.frequency(answers, "200")).isEqualTo(1);
        assertThat(Collections.frequency(answers, "401 webhook/replay")).isEqualTo(63);
    }

    @Test
    void bodyWhenOverOneMegabyteThenTooLarge() {
        String body = "x".repeat(1024 * 1024 + 1);

        Answer answer = post(
                "/hooks/partner", "Webhook-Signature", partner(Instant.now().getEpochSecond(), freshId(), body), body);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.text("code")).isEqualTo("webhook/body-too-large");
    }

    private Answer post(String path, String headerName, String header, String body) {
        return api.send(api.request(path)
                .header(headerName, header)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private static String partner(long seconds, String id, String body) {
        String signed = "hmac-sha3-512.v1." + seconds + "." + id + "." + body;
        return "t=" + seconds + ",id=" + id + ",v1=" + hmac("HmacSHA3-512", PARTNER_SECRET, signed);
    }

    private static String hmac(String algorithm, String secret, String signed) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), algorithm));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String freshId() {
        return UUID.randomUUID().toString();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(HookIT.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    private static void assertRefused(Answer answer, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.text("code")).isEqualTo(code);
        assertThat(answer.text("detail")).isEqualTo("This request needs a valid signature that was not used before");
    }
}
