package io.credential.webhook.signature;

import java.util.LinkedHashMap;
import java.util.Map;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.key.internal.HmacSha3Key;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;
import io.credential.webhook.signature.key.internal.VerifyingKey;
import io.credential.webhook.signature.scheme.WebhookScheme;

/**
 * The keys of a verifier, and the format that uses them. Thread-safe.
 *
 * @param algorithm names the algorithm, or the scheme if that has several, in the audit trail and metrics
 * @param format reads requests
 * @param identities by kid
 * @param signatureBytes the length of the longest signature
 * @param isCostly whether not too many signatures should be verified at once
 */
record VerifierKeys(
        String algorithm,
        WebhookScheme.Verifier format,
        Map<String, KeyIdentity> identities,
        int signatureBytes,
        boolean isCostly) {

    /** Signatures of all schemes fit the default header limit. */
    private static final int MAX_SCHEME_SIGNATURE_BYTES = 64;

    /** Loads keys for this library's own format. */
    static VerifierKeys own(
            SignatureAlgorithm algorithm, PqcKeys pqcKeys, Map<String, KeySource> keys, String signatureHeader) {
        Map<String, VerifyingKey> loaded = new LinkedHashMap<>();
        Map<String, KeyIdentity> identities = new LinkedHashMap<>();
        int longest = 0;
        for (Map.Entry<String, KeySource> entry : keys.entrySet()) {
            KeySource source = entry.getValue();
            VerifyingKey key = switch (algorithm) {
                case HMAC_SHA3_512 -> new HmacSha3Key(source.hmacKey());
                case PQC_PEM -> pqcKeys.verifyingKey(source);
            };
            loaded.put(entry.getKey(), key);
            identities.put(entry.getKey(), key.identity());
            longest = Math.max(longest, key.signatureBytes());
        }
        return new VerifierKeys(
                algorithm.text(),
                new CredentialFormat(algorithm, loaded, signatureHeader),
                identities,
                longest,
                algorithm == SignatureAlgorithm.PQC_PEM);
    }

    /** Loads keys for the format of another sender. */
    static VerifierKeys of(WebhookScheme scheme, Map<String, KeySource> keys) {
        Map<String, SecretBytes> secrets = new LinkedHashMap<>();
        Map<String, KeyIdentity> identities = new LinkedHashMap<>();
        keys.forEach((kid, key) -> {
            SecretBytes secret = key.hmacKey();
            secrets.put(kid, secret);
            identities.put(kid, secret.use(KeyIdentity::of));
        });
        WebhookScheme.Verifier verifier = scheme.verifier(secrets);
        identities.putAll(verifier.keyIdentities());
        return new VerifierKeys(scheme.name(), verifier, identities, MAX_SCHEME_SIGNATURE_BYTES, verifier.isCostly());
    }
}
