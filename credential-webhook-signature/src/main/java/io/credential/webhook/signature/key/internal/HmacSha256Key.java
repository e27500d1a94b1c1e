package io.credential.webhook.signature.key.internal;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.credential.secret.SecretBytes;
import io.credential.secret.internal.StripedPool;
import io.credential.webhook.signature.key.KeyIdentity;

/** HMAC-SHA-256 under one key. Uses the JDK's implementation, which has hardware support. Thread-safe. */
public final class HmacSha256Key {

    public static final int OUTPUT_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final StripedPool<Mac> pool;
    private final KeyIdentity identity;

    public HmacSha256Key(SecretBytes key) {
        SecretKeySpec keySpec = key.use(bytes -> new SecretKeySpec(bytes, ALGORITHM));
        this.identity = key.use(KeyIdentity::of);
        this.pool = new StripedPool<>(() -> newMac(keySpec));
    }

    public KeyIdentity identity() {
        return identity;
    }

    /** Returns the HMAC of the head followed by the body. */
    public byte[] compute(byte[] head, byte[] body) {
        Mac mac = pool.take();
        mac.update(head);
        byte[] result = mac.doFinal(body);
        pool.give(mac);
        return result;
    }

    private static Mac newMac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime does not provide " + ALGORITHM, e);
        }
    }
}
