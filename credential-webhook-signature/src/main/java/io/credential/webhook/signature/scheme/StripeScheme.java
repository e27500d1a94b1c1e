package io.credential.webhook.signature.scheme;

import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.internal.ProcessorHeader;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/**
 * Stripe: {@code Stripe-Signature: t=<timestamp>,v1=<hex>} has one or more HMAC-SHA-256 of {@code <timestamp>.<body>}. The
 * key is the whole text of the signing secret, {@code whsec_} included, in UTF-8. The id and the type of the event are in
 * the body.
 */
final class StripeScheme implements WebhookScheme {

    private static final String SIGNATURE = "Stripe-Signature";

    @Override
    public String name() {
        return "stripe";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> {
            ProcessorHeader header = ProcessorHeader.parse(head.required(SIGNATURE, HeaderFields.MAX_SIGNATURES));
            return hmac.presented(
                    new WebhookClaims(null, null, header.timestamp(), Set.of(Part.TIMESTAMP)),
                    UnixSeconds.format(header.timestamp()) + ".",
                    header.signatures(),
                    StripeScheme::inBody);
        };
    }

    private static BodyClaims inBody(byte[] body) {
        Map<String, String> texts = BodyClaims.texts(body, Set.of("id", "type"));
        return new BodyClaims(texts.get("id"), texts.get("type"));
    }
}
