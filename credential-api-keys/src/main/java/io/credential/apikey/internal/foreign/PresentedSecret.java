package io.credential.apikey.internal.foreign;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.secret.internal.ImportedHashes;

/**
 * The secret of a token, in the forms that are hashed. Whoever made it wipes the arrays.
 *
 * @param input the secret with its context
 * @param alone what another system has hashed; null for a token that a registry has issued
 * @param pepper of the other system; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PresentedSecret(
        byte[] input, byte @Nullable [] alone, @Nullable SecretBytes pepper) {

    private static final String HMAC = "HmacSHA256";

    public static PresentedSecret issued(byte[] input) {
        return new PresentedSecret(input, null, null);
    }

    /** Returns what a stored text hashes; null if the secret cannot have this hash. */
    public byte @Nullable [] hashedBy(String storedHash) {
        if (!ImportedHashes.owns(storedHash)) {
            return input;
        }
        if (alone == null || !ImportedHashes.isHmac(storedHash)) {
            return alone;
        }
        return pepper == null ? null : hmac(pepper, alone);
    }

    static byte[] hmac(SecretBytes pepper, byte[] secret) {
        return pepper.use(key -> {
            try {
                Mac mac = Mac.getInstance(HMAC);
                mac.init(new SecretKeySpec(key, HMAC));
                return mac.doFinal(secret);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every Java runtime has " + HMAC, e);
            }
        });
    }

    /** Leaves out the secret. */
    @Override
    public String toString() {
        return "PresentedSecret[]";
    }
}
