package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Requests that are signed here as the documentation of the senders describes. */
final class Signed {

    private static final long SECONDS = 1614265330;
    private static final String BODY = "{\"id\":4711}";

    private Signed() {}

    static SchemeSample shopify() {
        String key = "hush";
        return new SchemeSample(
                "shopify",
                key,
                SECONDS,
                Map.of(
                        "X-Shopify-Hmac-SHA256", Base64.getEncoder().encodeToString(hmac(key, BODY)),
                        "X-Shopify-Topic", "orders/create",
                        "X-Shopify-Webhook-Id", "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043"),
                BODY);
    }

    static SchemeSample stripe() {
        String key = "whsec_test_secret";
        return new SchemeSample(
                "stripe",
                key,
                SECONDS,
                Map.of(
                        "Stripe-Signature",
                        "t=" + SECONDS + ",v1=" + HexFormat.of().formatHex(hmac(key, SECONDS + "." + BODY))),
                BODY);
    }

    static byte[] hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
