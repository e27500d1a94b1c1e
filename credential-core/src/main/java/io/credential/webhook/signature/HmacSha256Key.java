package io.credential.webhook.signature;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.credential.secret.SecretBytes;
import io.credential.secret.StripedPool;

/** HMAC-SHA-256 under one key, by the JDK, whose SHA-256 uses the processor's own. */
final class HmacSha256Key {

    static final int OUTPUT_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final StripedPool<Mac> pool;
    private final KeyIdentity identity;

    HmacSha256Key(SecretBytes key) {
        byte[] bytes = key.toByteArray();
        SecretKeySpec keySpec = new SecretKeySpec(bytes, ALGORITHM);
        this.identity = KeyIdentity.of(bytes);
        this.pool = new StripedPool<>(() -> newMac(keySpec));
    }

    KeyIdentity identity() {
        return identity;
    }

    byte[] compute(byte[] head, byte[] body) {
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
