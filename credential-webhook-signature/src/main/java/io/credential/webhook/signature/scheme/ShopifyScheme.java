package io.credential.webhook.signature.scheme;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/**
 * Shopify: {@code X-Shopify-Hmac-SHA256} is a base64 HMAC-SHA-256 of the body alone, under the client secret of the app.
 * Nothing signs the id, the topic, the shop, or a time. Its events have the same headers without {@code X-}.
 */
final class ShopifyScheme implements WebhookScheme {

    private static final String SIGNATURE = "Shopify-Hmac-SHA256";

    @Override
    public String name() {
        return "shopify";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> {
            String prefix = isEvent(head) ? "" : "X-";
            return hmac.presented(claims(head, prefix), "", List.of(signature(head, prefix + SIGNATURE)));
        };
    }

    private static boolean isEvent(RequestHead head) {
        return head.lines("X-" + SIGNATURE).isEmpty() && !head.lines(SIGNATURE).isEmpty();
    }

    private static WebhookClaims claims(RequestHead head, String prefix) {
        return new WebhookClaims(
                head.optional(prefix + "Shopify-Webhook-Id", WebhookClaims.MAX_LENGTH),
                head.optional(prefix + "Shopify-Topic", WebhookClaims.MAX_LENGTH),
                null,
                Set.of());
    }

    private static byte[] signature(RequestHead head, String name) {
        byte[] signature =
                Base64Text.decode(head.required(name, HeaderFields.MAX_SIGNATURE), HmacSha256Key.OUTPUT_BYTES);
        if (signature == null) {
            throw HeaderFields.noSignature(name);
        }
        return signature;
    }
}
