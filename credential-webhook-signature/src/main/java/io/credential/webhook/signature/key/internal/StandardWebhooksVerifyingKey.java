package io.credential.webhook.signature.key.internal;

import java.security.MessageDigest;
import java.util.function.Predicate;

import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.KeyIdentity;

/**
 * A key that verifies signatures of Standard Webhooks 1.0.0: a secret for {@code v1}, or a public key for {@code v1a}.
 * Thread-safe.
 */
public final class StandardWebhooksVerifyingKey {

    /** The specification requires 24, but Svix documents a secret of 18, and the sender chooses it. */
    private static final int MIN_SECRET_BYTES = 16;

    private final String version;
    private final String algorithm;
    private final int signatureBytes;
    private final KeyIdentity identity;
    private final Primitive primitive;

    private StandardWebhooksVerifyingKey(
            String version, String algorithm, int signatureBytes, KeyIdentity identity, Primitive primitive) {
        this.version = version;
        this.algorithm = algorithm;
        this.signatureBytes = signatureBytes;
        this.identity = identity;
        this.primitive = primitive;
    }

    /** Reads a head and a body once, however many signatures are compared. */
    @FunctionalInterface
    private interface Primitive {
        Predicate<byte[]> over(byte[] head, byte[] body);
    }

    /**
     * Reads a key.
     *
     * @param text {@code whsec_} and base64 of the secret, or {@code whpk_} and base64 of an Ed25519 public key
     * @throws WebhookException {@code webhook/bad-secret} if it is malformed
     */
    public static StandardWebhooksVerifyingKey of(SecretBytes text) {
        return text.use(bytes -> {
            if (StandardWebhooksKey.startsWith(bytes, StandardWebhooksKey.SECRET)) {
                SecretBytes secret = StandardWebhooksKey.decoded(bytes, StandardWebhooksKey.SECRET);
                HmacSha256Key hmac = StandardWebhooksKey.hmac(secret, MIN_SECRET_BYTES);
                return new StandardWebhooksVerifyingKey(
                        "v1", "hmac-sha256", HmacSha256Key.OUTPUT_BYTES, secret.use(KeyIdentity::of), (head, body) -> {
                            byte[] expected = hmac.compute(head, body);
                            return signature -> MessageDigest.isEqual(expected, signature);
                        });
            }
            if (StandardWebhooksKey.startsWith(bytes, StandardWebhooksKey.PUBLIC_KEY)) {
                Ed25519PublicKeyParameters key =
                        publicKey(StandardWebhooksKey.decoded(bytes, StandardWebhooksKey.PUBLIC_KEY));
                return new StandardWebhooksVerifyingKey(
                        "v1a",
                        "ed25519",
                        Ed25519PublicKeyParameters.KEY_SIZE * 2,
                        KeyIdentity.of(key.getEncoded()),
                        (head, body) -> signature -> verify(key, head, body, signature));
            }
            throw bad();
        });
    }

    /** Returns which version of signatures this key verifies. */
    public String version() {
        return version;
    }

    public String algorithm() {
        return algorithm;
    }

    /** Returns the length of a signature. */
    public int signatureBytes() {
        return signatureBytes;
    }

    /** Returns whether it is a public key. */
    public boolean isPublic() {
        return version.equals("v1a");
    }

    /** Returns the identity of the key, whatever its text. */
    public KeyIdentity identity() {
        return identity;
    }

    /** Returns what tells whether a signature of this version is valid for the head followed by the body. */
    public Predicate<byte[]> verifying(byte[] head, byte[] body) {
        return primitive.over(head, body);
    }

    private static Ed25519PublicKeyParameters publicKey(SecretBytes encoded) {
        return encoded.use(bytes -> {
            if (bytes.length != Ed25519PublicKeyParameters.KEY_SIZE) {
                throw bad();
            }
            try {
                return new Ed25519PublicKeyParameters(bytes, 0);
            } catch (IllegalArgumentException e) {
                throw bad(); // not a point of the curve
            }
        });
    }

    private static boolean verify(Ed25519PublicKeyParameters key, byte[] head, byte[] body, byte[] signature) {
        Ed25519Signer verifier = new Ed25519Signer();
        verifier.init(false, key);
        verifier.update(head, 0, head.length);
        verifier.update(body, 0, body.length);
        return verifier.verifySignature(signature);
    }

    private static WebhookException bad() {
        return new WebhookException(
                WebhookErrorCode.BAD_SECRET,
                "A key that verifies Standard Webhooks must be whsec_ and base64 of 16 to 64 bytes, or whpk_ and base64"
                        + " of an Ed25519 public key");
    }
}
