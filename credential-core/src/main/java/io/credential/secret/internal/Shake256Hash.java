package io.credential.secret.internal;

import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.util.Arrays;

import io.credential.secret.HashAlgorithm;

/** {@code shake256$<hex of 64 bytes>}. */
final class Shake256Hash implements HashMethod {

    private static final String HEAD = HashAlgorithm.SHAKE256.text() + "$";
    private static final byte[] HEAD_BYTES = HEAD.getBytes(StandardCharsets.US_ASCII);
    private static final int OUTPUT_BYTES = 64;
    private static final int TEXT_LENGTH = HEAD.length() + 2 * OUTPUT_BYTES;
    private static final byte[] HEX_DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @Override
    public boolean owns(String storedHash) {
        return storedHash.startsWith(HEAD);
    }

    @Override
    public boolean isCostly(String storedHash) {
        return false;
    }

    @Override
    public String hash(byte[] input) {
        return new String(text(input), StandardCharsets.ISO_8859_1);
    }

    @Override
    public String decoy(byte[] unknown) {
        return hash(unknown);
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        return mayMatch(input, storedHash);
    }

    /** Compares completely, since that is fast. */
    @Override
    public boolean mayMatch(byte[] input, String storedHash) {
        // Comparing the texts accepts the one form that hash() writes: lower-case, nothing before or after.
        return storedHash.length() == TEXT_LENGTH
                && Arrays.constantTimeAreEqual(text(input), storedHash.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Written digit by digit, without the copies of a formatter: this runs on every verify. */
    private static byte[] text(byte[] input) {
        SHAKEDigest digest = new SHAKEDigest(256);
        digest.update(input, 0, input.length);
        byte[] output = new byte[OUTPUT_BYTES];
        digest.doFinal(output, 0, OUTPUT_BYTES);
        byte[] text = Arrays.copyOf(HEAD_BYTES, TEXT_LENGTH);
        for (int i = 0; i < OUTPUT_BYTES; i++) {
            text[HEAD_BYTES.length + 2 * i] = HEX_DIGITS[(output[i] >> 4) & 0xf];
            text[HEAD_BYTES.length + 2 * i + 1] = HEX_DIGITS[output[i] & 0xf];
        }
        return text;
    }

    @Override
    public boolean isCurrent(String storedHash) {
        return storedHash.length() == TEXT_LENGTH;
    }
}
