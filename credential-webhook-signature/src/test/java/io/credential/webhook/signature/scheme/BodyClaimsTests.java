package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

import static org.assertj.core.api.Assertions.assertThat;

/** The ids and types that bodies contain. */
class BodyClaimsTests {

    private static final long SECONDS = 1614265330;

    @Test
    void stripeWhenTheBodyHasIdAndTypeThenSigned() {
        VerifiedWebhook webhook =
                verify("stripe", "{\"id\":\"evt_1\",\"data\":{\"id\":\"ch_1\"},\"type\":\"charge.paid\"}");

        assertThat(webhook.id()).isEqualTo("evt_1");
        assertThat(webhook.type()).isEqualTo("charge.paid");
        assertThat(webhook.signed()).containsExactlyInAnyOrder(Part.values());
        assertThat(webhook.deduplicationId()).isEqualTo("evt_1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'url_verification','challenge':'c'} | url_verification |",
                "{'type':'event_callback','event':{'type':'app_mention'},'event_id':'Ev1'} | app_mention | Ev1",
                "{'type':'event_callback','event':{},'event_id':'Ev1'} | event_callback | Ev1"
            })
    void slackWhenAnEventThenItsInnerType(String body, String type, String id) {
        VerifiedWebhook webhook = verify("slack", body.replace('\'', '"'));

        assertThat(webhook.type()).isEqualTo(type);
        assertThat(webhook.id()).isEqualTo(id);
    }

    @Test
    void standardWebhooksWhenTheBodyHasATypeThenSigned() {
        VerifiedWebhook webhook = verify("standard-webhooks", "{\"type\":\"order.paid\",\"id\":\"other\"}");

        assertThat(webhook.type()).isEqualTo("order.paid");
        assertThat(webhook.id()).isEqualTo("msg_1");
        assertThat(webhook.deduplicationId()).isEqualTo("msg_1");
        assertThat(webhook.signed()).containsExactlyInAnyOrder(Part.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"id\":1,\"type\":null}",
                "{\"id\":\"a\",\"id\":\"b\",\"type\":\"t\"}",
                "{\"id\":\"evt\",\"type\":\"t\"",
                "{\"id\":\"evt\",\"type\":\"t\"} x",
                "{\"id\":\"evt\",\"type\":\"t\"}{}",
                "{\"id\":\"with space\",\"type\":\"\"}",
                "{\"data\":{\"id\":\"evt\",\"type\":\"t\"}}",
                "{\"x\":{\"id\":\"evt\"},\"x\":1,\"id\":\"evt\"}"
            })
    void stripeWhenTheBodyIsAmbiguousThenNeither(String body) {
        VerifiedWebhook webhook = verify("stripe", body);

        assertThat(webhook.id()).isNull();
        assertThat(webhook.type()).isNull();
        assertThat(webhook.signed()).containsExactly(Part.TIMESTAMP);
        assertThat(webhook.deduplicationId()).matches("sha256:[0-9a-f]{64}");
    }

    @Test
    void stripeWhenTheBodyIsNestedDeeplyThenNeither() {
        assertThat(verify("stripe", "{\"a\":".repeat(2000) + "1" + "}".repeat(2000))
                        .id())
                .isNull();
    }

    /** Anyone who has one valid request can change these headers. */
    @ParameterizedTest
    @ValueSource(strings = {"github", "shopify"})
    void deduplicationIdWhenTheIdIsNotSignedThenOfTheBody(String scheme) {
        assertThat(verify(scheme, "{}").deduplicationId())
                .isEqualTo(verify(scheme, "{}").deduplicationId())
                .isNotEqualTo(verify(scheme, "{ }").deduplicationId());
    }

    @Test
    void textsWhenAnOuterMemberIsALongPathThenLeftOut() {
        assertThat(BodyClaims.texts(
                        "{\"event.type\":\"x\",\"event\":{\"a\":{\"type\":\"y\"}}}".getBytes(StandardCharsets.UTF_8),
                        Set.of("event.type")))
                .isEmpty();
    }

    private static VerifiedWebhook verify(String scheme, String body) {
        String key = "bodies-in-tests-have-one-key";
        Map<String, List<String>> headers = new HashMap<>();
        headers.put("webhook-id", List.of("msg_1"));
        headers.put("webhook-timestamp", List.of("" + SECONDS));
        headers.put("webhook-signature", List.of("v1," + base64(key, "msg_1." + SECONDS + "." + body)));
        headers.put("Stripe-Signature", List.of("t=" + SECONDS + ",v1=" + hex(key, SECONDS + "." + body)));
        headers.put("X-Slack-Request-Timestamp", List.of("" + SECONDS));
        headers.put("X-Slack-Signature", List.of("v0=" + hex(key, "v0:" + SECONDS + ":" + body)));
        headers.put("X-Hub-Signature-256", List.of("sha256=" + hex(key, body)));
        headers.put("X-GitHub-Delivery", List.of("72d3162e"));
        headers.put("X-Shopify-Hmac-SHA256", List.of(base64(key, body)));
        return WebhookVerifier.builder()
                .name("sender")
                .scheme(SchemeSample.of(scheme).webhookScheme())
                .key(
                        "v1",
                        scheme.equals("standard-webhooks")
                                ? "whsec_" + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
                                : key)
                .clock(InstantSource.fixed(Instant.ofEpochSecond(SECONDS)))
                .build()
                .verify(body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private static String hex(String key, String signed) {
        return HexFormat.of().formatHex(hmac(key, signed));
    }

    private static String base64(String key, String signed) {
        return Base64.getEncoder().encodeToString(hmac(key, signed));
    }

    private static byte[] hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
