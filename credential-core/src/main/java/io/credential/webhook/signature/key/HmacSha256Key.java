package io.credential.webhook.signature.key;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.credential.secret.SecretBytes;
import io.credential.secret.StripedPool;

/**
 * HMAC-SHA-256 under one key, by the JDK, whose SHA-256 uses the processor's own. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HmacSha256Key {

    public static final int OUTPUT_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final StripedPool<Mac> pool;
    private final KeyIdentity identity;

    public HmacSha256Key(SecretBytes key) {
        byte[] bytes = key.toByteArray();
        SecretKeySpec keySpec = new SecretKeySpec(bytes, ALGORITHM);
        this.identity = KeyIdentity.of(bytes);
        this.pool = new StripedPool<>(() -> newMac(keySpec));
    }

    public KeyIdentity identity() {
        return identity;
    }

    /** The HMAC of two stretches of bytes, one after the other. */
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
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}
