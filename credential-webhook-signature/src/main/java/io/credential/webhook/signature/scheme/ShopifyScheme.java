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
    private static final byte[] NO_HEAD = {};

    @Override
    public String name() {
        return "shopify";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> new SignedHead(claims(head), hmac, NO_HEAD, List.of(signature(head)));
    }

    private static WebhookClaims claims(RequestHead head) {
        return new WebhookClaims(
                head.optional("X-Shopify-Webhook-Id", Limits.NAME),
                head.optional("X-Shopify-Topic", Limits.NAME),
                null,
                Set.of());
    }

    private static byte[] signature(RequestHead head) {
        byte[] signature = Base64Text.decode(head.required(SIGNATURE, Limits.SIGNATURE), HmacSha256Key.OUTPUT_BYTES);
        if (signature == null) {
            throw SignedHead.noSignature(SIGNATURE);
        }
        return signature;
    }
}
