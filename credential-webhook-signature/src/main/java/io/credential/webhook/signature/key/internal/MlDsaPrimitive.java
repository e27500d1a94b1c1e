package io.credential.webhook.signature.key.internal;

import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.signers.MLDSASigner;

import io.credential.secret.internal.StripedPool;

/** ML-DSA under one key. Reuses signers, since each hashes the public key when it is initialized. */
final class MlDsaPrimitive implements PqcPrimitive {

    private final StripedPool<MLDSASigner> pool;

    MlDsaPrimitive(boolean forSigning, CipherParameters key) {
        this.pool = new StripedPool<>(() -> {
            MLDSASigner signer = new MLDSASigner();
            signer.init(forSigning, key);
            return signer;
        });
    }

    @Override
    public byte[] sign(byte[] head, byte[] body) {
        MLDSASigner signer = updated(head, body);
        try {
            byte[] signature = signer.generateSignature();
            pool.give(signer);
            return signature;
        } catch (CryptoException e) {
            throw new IllegalStateException("Could not create the ML-DSA signature", e);
        }
    }

    @Override
    public boolean verify(byte[] head, byte[] body, byte[] signature) {
        MLDSASigner signer = updated(head, body);
        boolean valid = signer.verifySignature(signature);
        pool.give(signer);
        return valid;
    }

    private MLDSASigner updated(byte[] head, byte[] body) {
        MLDSASigner signer = pool.take();
        signer.update(head, 0, head.length);
        signer.update(body, 0, body.length);
        return signer;
    }
}
