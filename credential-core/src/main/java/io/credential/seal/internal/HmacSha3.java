package io.credential.seal.internal;

import java.util.Arrays;

import org.bouncycastle.crypto.digests.SHA3Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;

import io.credential.secret.internal.FieldBytes;
import io.credential.secret.internal.StripedPool;

/** HMAC-SHA3-256 under one key. Thread-safe. */
final class HmacSha3 {

    static final int OUTPUT_BYTES = 32;

    private final StripedPool<HMac> pool;

    /** Takes over the key and wipes the array. */
    HmacSha3(byte[] key) {
        KeyParameter parameter = new KeyParameter(key);
        Arrays.fill(key, (byte) 0);
        this.pool = new StripedPool<>(() -> {
            HMac hmac = new HMac(new SHA3Digest(256));
            hmac.init(parameter);
            return hmac;
        });
    }

    byte[] compute(FieldBytes fields) {
        HMac hmac = pool.take();
        hmac.update(fields.buffer(), 0, fields.length());
        byte[] mac = new byte[OUTPUT_BYTES];
        hmac.doFinal(mac, 0);
        pool.give(hmac);
        return mac;
    }
}
