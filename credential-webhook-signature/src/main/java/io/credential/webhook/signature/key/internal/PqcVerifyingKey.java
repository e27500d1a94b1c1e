package io.credential.webhook.signature.key.internal;

import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.Base64Url;
import io.credential.webhook.signature.key.KeyIdentity;

/** A post-quantum public key. Signatures are read as canonical base64url or as hexadecimal. */
final class PqcVerifyingKey implements VerifyingKey {

    private final PqcAlgorithm algorithm;
    private final PqcPrimitive primitive;
    private final KeyIdentity identity;

    PqcVerifyingKey(PqcAlgorithm algorithm, AsymmetricKeyParameter publicKey, KeyIdentity identity) {
        this.algorithm = algorithm;
        this.primitive = algorithm.primitive(false, publicKey);
        this.identity = identity;
    }

    PqcAlgorithm algorithm() {
        return algorithm;
    }

    @Override
    public boolean verify(byte[] head, byte[] body, String signature) {
        byte[] presented = decode(signature);
        return presented != null
                && presented.length == algorithm.signatureBytes()
                && primitive.verify(head, body, presented);
    }

    /** The length distinguishes the two encodings. */
    private byte @Nullable [] decode(String signature) {
        int bytes = algorithm.signatureBytes();
        if (signature.length() == 2 * bytes) {
            return HexText.decode(signature, bytes);
        }
        return signature.length() == (4 * bytes + 2) / 3 ? Base64Url.decode(signature) : null;
    }

    @Override
    public KeyIdentity identity() {
        return identity;
    }

    @Override
    public int signatureBytes() {
        return algorithm.signatureBytes();
    }
}
