package io.credential.webhook.signature.key.internal;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.Callable;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.Base64Url;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.KeyIdentity;

/** Reads post-quantum keys from PEM. The object identifier of the key determines the algorithm. Immutable. */
public final class PqcKeys {

    private static final byte[] PROBE = {};

    private final @Nullable PqcAlgorithm pinned;

    private PqcKeys(@Nullable PqcAlgorithm pinned) {
        this.pinned = pinned;
    }

    /**
     * Returns a factory of keys.
     *
     * @param algorithm the name of the only algorithm to accept; null to accept all that are supported
     * @throws WebhookException {@code webhook/bad-alg} if the algorithm is not supported
     */
    public static PqcKeys of(@Nullable String algorithm) {
        return new PqcKeys(algorithm == null ? null : PqcAlgorithm.of(algorithm));
    }

    /**
     * Reads an X.509 public key ({@code PUBLIC KEY}).
     *
     * @throws WebhookException {@code webhook/bad-alg} if it is for another algorithm, {@code webhook/bad-secret} if it
     *     cannot be read
     */
    public VerifyingKey verifyingKey(KeySource source) {
        return publicKey(source);
    }

    private PqcVerifyingKey publicKey(KeySource source) {
        byte[] der = block(source, PemBlock.PUBLIC_KEY);
        SubjectPublicKeyInfo info =
                read(source, () -> SubjectPublicKeyInfo.getInstance(ASN1Primitive.fromByteArray(der)));
        byte[] encoded = read(source, () -> info.getPublicKeyData().getOctets());
        PqcAlgorithm algorithm = algorithm(source, info.getAlgorithm().getAlgorithm());
        if (encoded.length != algorithm.publicKeyBytes()) {
            throw source.bad(
                    "has a key of " + encoded.length + " bytes, but " + algorithm.text() + " requires "
                            + algorithm.publicKeyBytes(),
                    null);
        }
        AsymmetricKeyParameter key = read(source, () -> algorithm.publicKey(encoded));
        return new PqcVerifyingKey(algorithm, key, KeyIdentity.of(encoded));
    }

    /**
     * Reads a PKCS#8 private key ({@code PRIVATE KEY}) and the public key that belongs to it.
     *
     * @throws WebhookException {@code webhook/bad-alg} if one is for another algorithm, {@code webhook/bad-secret} if
     *     one cannot be read or they do not belong together
     */
    public SigningKey signingKey(KeySource privateKey, KeySource publicKey, SecureRandom random) {
        PqcVerifyingKey verifyingKey = publicKey(publicKey);
        byte[] der = block(privateKey, PemBlock.PRIVATE_KEY);
        PqcAlgorithm algorithm;
        SigningKey signingKey;
        try {
            PrivateKeyInfo info = read(privateKey, () -> PrivateKeyInfo.getInstance(ASN1Primitive.fromByteArray(der)));
            algorithm = algorithm(privateKey, info.getPrivateKeyAlgorithm().getAlgorithm());
            signingKey = signingKey(algorithm, read(privateKey, () -> PrivateKeyFactory.createKey(info)), random);
        } finally {
            Arrays.fill(der, (byte) 0);
        }
        // A damaged private key may load and even sign, but nobody could verify its signatures.
        if (algorithm != verifyingKey.algorithm()
                || !read(privateKey, () -> verifyingKey.verify(PROBE, PROBE, signingKey.sign(PROBE, PROBE)))) {
            throw privateKey.bad("does not belong to the public key that is given with it", null);
        }
        return signingKey;
    }

    /** Signatures are hedged with fresh randomness (FIPS 204 and 205). */
    private static SigningKey signingKey(PqcAlgorithm algorithm, AsymmetricKeyParameter key, SecureRandom random) {
        PqcPrimitive primitive = algorithm.primitive(true, new ParametersWithRandom(key, random));
        return (head, body) -> Base64Url.encode(primitive.sign(head, body));
    }

    private static byte[] block(KeySource source, String wanted) {
        PemBlock block = PemBlock.read(source);
        if (block.label().equals(wanted)) {
            return block.der();
        }
        Arrays.fill(block.der(), (byte) 0);
        if (block.label().matches("(RSA|EC|DSA|OPENSSH) (PRIVATE|PUBLIC) KEY|EC PARAMETERS")) {
            throw new WebhookException(WebhookErrorCode.BAD_ALG, source.what() + notAccepted(block.label()));
        }
        throw source.bad("must be a '" + wanted + "' in PEM, unencrypted; it is a block of another kind", null);
    }

    private PqcAlgorithm algorithm(KeySource source, ASN1ObjectIdentifier oid) {
        PqcAlgorithm algorithm = PqcAlgorithm.of(oid);
        if (algorithm == null) {
            throw new WebhookException(WebhookErrorCode.BAD_ALG, source.what() + notAccepted(oid.getId()));
        }
        if (pinned != null && algorithm != pinned) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_ALG,
                    source.what() + " is for " + algorithm.text() + ", but pqcAlgorithm asks for " + pinned.text());
        }
        return algorithm;
    }

    private static String notAccepted(String algorithm) {
        return " is for the algorithm " + algorithm + ", which is not supported; use one of " + PqcAlgorithm.names();
    }

    /** Keeps the failure of the library as the cause: its message describes only structure and lengths. */
    private static <T> T read(KeySource source, Callable<T> reading) {
        try {
            return reading.call();
        } catch (Exception e) {
            throw source.bad("cannot be read as a key", e);
        }
    }
}
