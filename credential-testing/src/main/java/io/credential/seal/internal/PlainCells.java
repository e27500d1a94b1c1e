package io.credential.seal.internal;

import java.security.SecureRandom;

import io.credential.secret.internal.Base64Url;

/**
 * Makes cells of the unbound form that nothing writes any more, to test the migration from it. Stands in this package
 * because it needs a sub-key of the keyring; shared with the tests of other modules.
 */
public final class PlainCells {

    private PlainCells() {}

    /** {@code s0.<keyId>.<..>} under the active key. */
    public static String seal(Keyring keyring, byte[] plaintext, SecureRandom random) {
        byte[] nonce = new byte[CellCipher.NONCE_BYTES];
        random.nextBytes(nonce);
        return SealedText.head(Sealer.PLAIN, keyring.activeKeyId())
                + Base64Url.encode(keyring.activeKey().cells().seal(nonce, Sealer.NOTHING, plaintext));
    }
}
