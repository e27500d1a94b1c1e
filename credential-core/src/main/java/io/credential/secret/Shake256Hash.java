package io.credential.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import org.bouncycastle.crypto.digests.SHAKEDigest;

/** {@code shake256$<hex of 64 bytes>}. */
final class Shake256Hash implements StoredHash {

    private static final String HEAD = HashAlgorithm.SHAKE256.text() + "$";
    private static final int OUTPUT_BYTES = 64;
    private static final int TEXT_LENGTH = HEAD.length() + 2 * OUTPUT_BYTES;
    private static final HexFormat HEX = HexFormat.of();

    @Override
    public boolean owns(String storedHash) {
        return storedHash.startsWith(HEAD);
    }

    @Override
    public String hash(byte[] input) {
        SHAKEDigest digest = new SHAKEDigest(256);
        digest.update(input, 0, input.length);
        byte[] output = new byte[OUTPUT_BYTES];
        digest.doFinal(output, 0, OUTPUT_BYTES);
        return HEAD + HEX.formatHex(output);
    }

    @Override
    public boolean matches(byte[] input, String storedHash) {
        // Comparing the texts accepts the one form that hash() writes: lower-case, nothing before or after.
        return storedHash.length() == TEXT_LENGTH && MessageDigest.isEqual(ascii(hash(input)), ascii(storedHash));
    }

    @Override
    public boolean isCurrent(String storedHash) {
        return storedHash.length() == TEXT_LENGTH;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
