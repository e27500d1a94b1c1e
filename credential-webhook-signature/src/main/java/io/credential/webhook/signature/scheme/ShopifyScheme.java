package io.credential.webhook.signature.scheme;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/**
 * Shopify: {@code X-Shopify-Hmac-SHA256} is a base64 HMAC-SHA-256 of the body alone, under the client secret of the app.
 * Nothing signs the id, the topic, the shop, or a time.
 */
final class ShopifyScheme implements WebhookScheme {

    private static final String SIGNATURE = "X-Shopify-Hmac-SHA256";

    @Override
    public String name() {
        return "shopify";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> hmac.presented(claims(head), "", List.of(signature(head)));
    }

    private static WebhookClaims claims(RequestHead head) {
        return new WebhookClaims(
                head.optional("X-Shopify-Webhook-Id", WebhookClaims.MAX_LENGTH),
                head.optional("X-Shopify-Topic", WebhookClaims.MAX_LENGTH),
                null,
                Set.of());
    }

    private static byte[] signature(RequestHead head) {
        byte[] signature =
                Base64Text.decode(head.required(SIGNATURE, HeaderFields.MAX_SIGNATURE), HmacSha256Key.OUTPUT_BYTES);
        if (signature == null) {
            throw HeaderFields.noSignature(SIGNATURE);
        }
        return signature;
    }
}
