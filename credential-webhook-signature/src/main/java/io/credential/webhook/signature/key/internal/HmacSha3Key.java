package io.credential.webhook.signature.key.internal;

import java.security.MessageDigest;

import org.bouncycastle.crypto.digests.SHA3Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;

import io.credential.secret.SecretBytes;
import io.credential.secret.internal.StripedPool;
import io.credential.webhook.signature.key.KeyIdentity;

/** HMAC-SHA3-512 under one key. A signature is 64 bytes in hexadecimal. Thread-safe. */
public final class HmacSha3Key implements SigningKey, VerifyingKey {

    static final int OUTPUT_BYTES = 64;

    private final StripedPool<HMac> pool;
    private final KeyIdentity identity;

    public HmacSha3Key(SecretBytes key) {
        KeyParameter parameter = key.use(KeyParameter::new);
        this.identity = key.use(KeyIdentity::of);
        this.pool = new StripedPool<>(() -> {
            HMac hmac = new HMac(new SHA3Digest(8 * OUTPUT_BYTES));
            hmac.init(parameter);
            return hmac;
        });
    }

    byte[] compute(byte[] head, byte[] body) {
        HMac hmac = pool.take();
        hmac.update(head, 0, head.length);
        hmac.update(body, 0, body.length);
        byte[] mac = new byte[OUTPUT_BYTES];
        hmac.doFinal(mac, 0);
        pool.give(hmac);
        return mac;
    }

    @Override
    public String sign(byte[] head, byte[] body) {
        return HexText.encode(compute(head, body));
    }

    @Override
    public boolean verify(byte[] head, byte[] body, String signature) {
        byte[] presented = HexText.decode(signature, OUTPUT_BYTES);
        return presented != null && MessageDigest.isEqual(compute(head, body), presented);
    }

    @Override
    public KeyIdentity identity() {
        return identity;
    }

    @Override
    public int signatureBytes() {
        return OUTPUT_BYTES;
    }
}
