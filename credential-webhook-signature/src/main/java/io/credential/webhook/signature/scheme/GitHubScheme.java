package io.credential.webhook.signature.scheme;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;

/**
 * GitHub: {@code X-Hub-Signature-256: sha256=<hex>} is an HMAC-SHA-256 of the body alone. Nothing signs the id, the type
 * of the event, or a time. The key is the secret as it was entered, in UTF-8.
 */
final class GitHubScheme implements WebhookScheme {

    private static final String SIGNATURE = "X-Hub-Signature-256";
    private static final String PREFIX = "sha256=";

    @Override
    public String name() {
        return "github";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> hmac.presented(claims(head), "", List.of(HeaderFields.hexSignature(head, SIGNATURE, PREFIX)));
    }

    private static WebhookClaims claims(RequestHead head) {
        return new WebhookClaims(
                head.optional("X-GitHub-Delivery", WebhookClaims.MAX_LENGTH),
                head.optional("X-GitHub-Event", WebhookClaims.MAX_LENGTH),
                null,
                Set.of());
    }
}
