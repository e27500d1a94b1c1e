package io.credential.webhook.signature.key.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * A key of Standard Webhooks 1.0.0: {@code v1}, HMAC-SHA256 under a secret of 24 to 64 bytes, or {@code v1a}, Ed25519. A
 * signature is the version, a comma and standard base64. Thread-safe.
 */
public final class StandardWebhooksKey implements SigningKey {

    static final String SECRET = "whsec_";
    private static final String PRIVATE_KEY = "whsk_";
    static final String PUBLIC_KEY = "whpk_";
    private static final int MIN_SECRET_BYTES = 24;
    private static final int MAX_SECRET_BYTES = 64;
    private static final int SEED_BYTES = Ed25519PrivateKeyParameters.KEY_SIZE;

    /** More than any valid key has. */
    private static final int MAX_TEXT_BYTES = 128;

    private final String version;
    private final SigningKey primitive;
    private final @Nullable String publicKey;

    private StandardWebhooksKey(String version, SigningKey primitive, @Nullable String publicKey) {
        this.version = version;
        this.primitive = primitive;
        this.publicKey = publicKey;
    }

    /**
     * Reads a key.
     *
     * @param text {@code whsec_} and base64 of the secret, or {@code whsk_} and base64 of the seed, which its public key may
     *     follow
     * @throws WebhookException {@code webhook/bad-secret} if it is malformed
     */
    public static StandardWebhooksKey of(SecretBytes text) {
        return text.use(bytes -> {
            if (startsWith(bytes, SECRET)) {
                return symmetric(decoded(bytes, SECRET));
            }
            if (startsWith(bytes, PRIVATE_KEY)) {
                return asymmetric(decoded(bytes, PRIVATE_KEY));
            }
            throw bad();
        });
    }

    /**
     * Returns the text of a new key.
     *
     * @param random 32 random bytes
     * @param like a key of the same version; null for {@code v1}
     */
    public static String text(byte[] random, @Nullable StandardWebhooksKey like) {
        if (like == null || like.publicKey == null) {
            return SECRET + encoded(random);
        }
        byte[] pair = Arrays.copyOf(random, 2 * SEED_BYTES);
        byte[] publicKey =
                new Ed25519PrivateKeyParameters(random, 0).generatePublicKey().getEncoded();
        System.arraycopy(publicKey, 0, pair, SEED_BYTES, SEED_BYTES);
        return PRIVATE_KEY + encoded(pair);
    }

    /** Returns the public key, {@code whpk_} and base64, or null for {@code v1}, which has none. */
    public @Nullable String publicKey() {
        return publicKey;
    }

    @Override
    public String sign(byte[] head, byte[] body) {
        return version + "," + primitive.sign(head, body);
    }

    private static StandardWebhooksKey symmetric(SecretBytes secret) {
        HmacSha256Key hmac = hmac(secret, MIN_SECRET_BYTES);
        return new StandardWebhooksKey("v1", (head, body) -> encoded(hmac.compute(head, body)), null);
    }

    static HmacSha256Key hmac(SecretBytes secret, int minBytes) {
        if (secret.length() < minBytes || secret.length() > MAX_SECRET_BYTES) {
            throw bad();
        }
        return new HmacSha256Key(secret);
    }

    private static StandardWebhooksKey asymmetric(SecretBytes pair) {
        return pair.use(bytes -> {
            if (bytes.length != SEED_BYTES && bytes.length != 2 * SEED_BYTES) {
                throw bad();
            }
            Ed25519PrivateKeyParameters key = new Ed25519PrivateKeyParameters(bytes, 0);
            byte[] publicKey = key.generatePublicKey().getEncoded();
            if (bytes.length > SEED_BYTES
                    && !MessageDigest.isEqual(Arrays.copyOfRange(bytes, SEED_BYTES, bytes.length), publicKey)) {
                throw bad();
            }
            return new StandardWebhooksKey(
                    "v1a", (head, body) -> sign(key, head, body), PUBLIC_KEY + encoded(publicKey));
        });
    }

    private static String sign(Ed25519PrivateKeyParameters key, byte[] head, byte[] body) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, key);
        signer.update(head, 0, head.length);
        signer.update(body, 0, body.length);
        return encoded(signer.generateSignature());
    }

    static boolean startsWith(byte[] text, String prefix) {
        int length = prefix.length();
        return text.length > length
                && text.length <= MAX_TEXT_BYTES
                && new String(text, 0, length, StandardCharsets.US_ASCII).equals(prefix);
    }

    static SecretBytes decoded(byte[] text, String prefix) {
        byte[] encoded = Arrays.copyOfRange(text, prefix.length(), text.length);
        try {
            return SecretBytes.copyAndWipe(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException e) {
            throw bad(); // without the cause, whose message contains a part of the secret
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static WebhookException bad() {
        return new WebhookException(
                WebhookErrorCode.BAD_SECRET,
                "A secret of Standard Webhooks must be whsec_ and base64 of 24 to 64 bytes, or whsk_ and base64 of an"
                        + " Ed25519 seed of 32 bytes, which its public key may follow");
    }
}
