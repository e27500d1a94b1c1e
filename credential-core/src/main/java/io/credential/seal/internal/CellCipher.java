package io.credential.seal.internal;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;
import io.credential.secret.internal.StripedPool;

/** AES-256-GCM under one key; nonce, ciphertext and tag in one array. Thread-safe. */
final class CellCipher {

    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;

    private final SecretKeySpec key;
    private final StripedPool<Cipher> pool = new StripedPool<>(CellCipher::newCipher);

    /** Takes over the key and wipes the array. */
    CellCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
        Arrays.fill(key, (byte) 0);
    }

    /**
     * @param nonce must be new: two texts under one nonce reveal both
     */
    byte[] seal(byte[] nonce, FieldBytes associated, byte[] plaintext) {
        byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + plaintext.length + TAG_BYTES);
        Cipher cipher = pool.take();
        try {
            start(cipher, Cipher.ENCRYPT_MODE, sealed, associated);
            cipher.doFinal(plaintext, 0, plaintext.length, sealed, NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
        pool.give(cipher);
        return sealed;
    }

    /** Returns null if the tag does not match. */
    byte @Nullable [] open(FieldBytes associated, byte[] sealed) {
        Cipher cipher = pool.take();
        byte[] plaintext;
        try {
            start(cipher, Cipher.DECRYPT_MODE, sealed, associated);
            plaintext = cipher.doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            plaintext = null;
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
        pool.give(cipher);
        return plaintext;
    }

    private void start(Cipher cipher, int mode, byte[] sealed, FieldBytes associated)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, sealed, 0, NONCE_BYTES));
        cipher.updateAAD(associated.buffer(), 0, associated.length());
    }

    private static Cipher newCipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    private static IllegalStateException unavailable(GeneralSecurityException cause) {
        return new IllegalStateException("AES-256-GCM does not work in this Java runtime", cause);
    }
}
