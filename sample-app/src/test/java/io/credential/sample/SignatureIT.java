package io.credential.sample;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;

import io.credential.sample.Api.Answer;
import io.credential.sample.Partner.Webhook;

import static io.credential.sample.ProblemAssert.assertProblem;
import static io.credential.sample.SignatureAssert.assertSigned;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Which secrets and schemes sign webhooks, verified with the JDK alone. */
@SampleTest
class SignatureIT extends WebhookFixture {

    private static final String PARTNER_SECRET = "development-only-partner-secret";

    SignatureIT(RunningSample running) {
        super(running);
    }

    @Test
    void endpointWhenSecretIsMissingThenShownOnce() {
        Answer registered = admin.post(
                "/endpoints",
                Map.of("endpointId", "generated", "url", partner.url(path), "eventTypes", List.of(eventType)));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        String secret = registered.text("secret");
        assertThat(secret).hasSize(64);
        assertThat(admin.get("/endpoints").body()).doesNotContain(secret);
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(0), Map.of("v1", secret));
    }

    /** Signs HmacSHA256 as Standard Webhooks specifies it. */
    @Test
    void endpointWhenSchemeIsStandardThenSignedByIt() throws GeneralSecurityException {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "standard",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "scheme",
                        "standard-webhooks"));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("scheme")).isEqualTo("standard-webhooks");
        dispatch("{}");
        Webhook webhook = partner.webhooks(path).get(0);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(
                Base64.getDecoder().decode(registered.text("secret").substring("whsec_".length())), "HmacSHA256"));
        byte[] signature = mac.doFinal(
                (webhook.header("webhook-id") + "." + webhook.header("webhook-timestamp") + ".{}").getBytes(UTF_8));
        assertThat(webhook.header("webhook-signature"))
                .isEqualTo("v1," + Base64.getEncoder().encodeToString(signature));
    }

    /** Signs HmacSHA256 as GitHub does, under the header that the receiver knows. */
    @Test
    void endpointWhenSchemeIsGitHubThenSignedByIt() throws GeneralSecurityException {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "moved",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET,
                        "scheme",
                        "github",
                        "signatureHeader",
                        "X-Shop-Signature"));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("signatureHeader")).isEqualTo("X-Shop-Signature");
        dispatch("{}");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
        assertThat(partner.webhooks(path).get(0).header("X-Shop-Signature"))
                .isEqualTo("sha256=" + HexFormat.of().formatHex(mac.doFinal("{}".getBytes(UTF_8))));
    }

    @Test
    void endpointWhenSecretIsReplacedThenBothSign() {
        register("rotated");

        Answer generated = admin.post("/endpoints/rotated/rotate-secret");

        assertThat(generated.status()).as(generated.body()).isEqualTo(200);
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(0), Map.of("v1", SECRET, "v2", generated.text("secret")));
        Answer given = admin.post("/endpoints/rotated/rotate-secret", Map.of("secret", "a third secret"));
        assertThat(given.text("secret")).isEqualTo("a third secret");
        assertThat(given.text("kid")).isEqualTo("v3");
        dispatch("{}");
        assertSigned(partner.webhooks(path).get(1), Map.of("v2", generated.text("secret"), "v3", "a third secret"));
        assertProblem(admin.post("/endpoints/unknown/rotate-secret"), 404, "webhook-dispatcher/not-found");
        assertProblem(admin.post("/endpoints/rotated/rotate-secret", Map.of("secret", "")), 400);
    }

    /** The walk of the README: the sample is its own partner. */
    @Test
    void hookThenVerifiesWhatTheSampleSends() {
        registerSelf(PARTNER_SECRET);

        Answer good = dispatch("{\"hello\":\"world\"}");

        assertThat(only(good).required("status").asString()).as(good.body()).isEqualTo("delivered");
        assertThat(only(good).required("responseStatus").asInt()).isEqualTo(200);

        registerSelf("another secret");
        assertThat(only(dispatch("{}")).required("responseStatus").asInt()).isEqualTo(401);
    }

    private void registerSelf(String secret) {
        admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "self",
                        "url",
                        api.request("/hooks/partner").build().uri().toString(),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        secret));
    }
}
