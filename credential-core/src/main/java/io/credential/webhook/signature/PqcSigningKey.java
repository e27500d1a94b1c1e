package io.credential.webhook.signature;

import java.security.SecureRandom;

import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ParametersWithRandom;

import io.credential.secret.Base64Url;

/** A post-quantum private key; signatures are hedged with fresh randomness, and written as base64url. */
final class PqcSigningKey implements SigningKey {

    private final PqcAlgorithm algorithm;
    private final ParametersWithRandom privateKey;

    PqcSigningKey(PqcAlgorithm algorithm, AsymmetricKeyParameter privateKey, SecureRandom random) {
        this.algorithm = algorithm;
        this.privateKey = new ParametersWithRandom(privateKey, random);
    }

    @Override
    public String sign(byte[] head, byte[] body) {
        return Base64Url.encode(algorithm.sign(privateKey, head, body));
    }
}
