package io.credential.secret.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The stored texts of secrets that other systems have hashed. They start with {@value #HEAD}, because they hash the
 * secret alone: the texts of {@link SecretHasher#hash} hash it together with its context.
 */
public final class ImportedHashes {

    static final String HEAD = "imported$";
    static final String SHA256 = HEAD + "sha256$";
    static final String SHA512 = HEAD + "sha512$";
    static final String HMAC_SHA256 = HEAD + "hmac-sha256$";
    static final String BCRYPT = HEAD + "$2";
    static final String ARGON2ID = HEAD + Argon2Phc.HEAD;

    /** More would take a caller of {@code verify} too long. */
    static final int MAX_BCRYPT_COST = 16;

    private static final int MAX_LENGTH = 256;
    private static final int MIN_BCRYPT_COST = 4;
    private static final Pattern BCRYPT_FORM = Pattern.compile("\\$2[aby]?\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");

    private ImportedHashes() {}

    /** Whether a stored text is that of another system. */
    public static boolean owns(String storedHash) {
        return storedHash.startsWith(HEAD);
    }

    /** Whether a stored text is compared with the secret's HMAC-SHA-256 instead of the secret. */
    public static boolean isHmac(String storedHash) {
        return storedHash.startsWith(HMAC_SHA256);
    }

    /**
     * Returns the stored text of a SHA-256.
     *
     * @param text in hex, base64 or base64url
     * @throws IllegalArgumentException if it is not the text of 32 bytes
     */
    public static String sha256(String text) {
        return SHA256 + hex(text, 32);
    }

    /** Returns the stored text of a SHA-512, like {@link #sha256}. */
    public static String sha512(String text) {
        return SHA512 + hex(text, 64);
    }

    /** Returns the stored text of an HMAC-SHA-256, like {@link #sha256}. */
    public static String hmacSha256(String text) {
        return HMAC_SHA256 + hex(text, 32);
    }

    /**
     * Returns the stored text of a bcrypt hash.
     *
     * @throws IllegalArgumentException if it has another form, or costs too much
     */
    public static String bcrypt(String text) {
        if (bcryptCost(text) > MAX_BCRYPT_COST) {
            throw new IllegalArgumentException("It must be a bcrypt hash such as $2b$12$..., of a cost from "
                    + MIN_BCRYPT_COST + " to " + MAX_BCRYPT_COST);
        }
        return HEAD + text;
    }

    /**
     * Returns the stored text of an Argon2id hash.
     *
     * @throws IllegalArgumentException if it has another form, or costs more than can be configured
     */
    public static String argon2id(String text) {
        Argon2Phc parsed = Argon2Phc.parseAny(text);
        if (parsed == null || !parsed.cost().isWithin(Argon2Cost.LARGEST)) {
            throw new IllegalArgumentException(
                    "It must be a PHC string such as $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>, of at most 1 GiB,"
                            + " 64 passes and 16 lanes, with a hash of 16 to 64 bytes");
        }
        return HEAD + text;
    }

    /** Returns the stored text of the SHA-256 of a secret. */
    public static String sha256Of(byte[] secret) {
        return SHA256 + digest("SHA-256", secret);
    }

    /** Returns the stored text of the SHA-512 of a secret. */
    public static String sha512Of(byte[] secret) {
        return SHA512 + digest("SHA-512", secret);
    }

    /** Returns the stored text of an HMAC-SHA-256. */
    public static String hmacSha256Of(byte[] mac) {
        return HMAC_SHA256 + HexFormat.of().formatHex(mac);
    }

    /** Returns the cost of a bcrypt hash, and {@code Integer.MAX_VALUE} for any other text. */
    static int bcryptCost(String text) {
        Matcher form = BCRYPT_FORM.matcher(text);
        int cost = text.length() <= MAX_LENGTH && form.matches() ? Integer.parseInt(form.group(1)) : 0;
        return cost < MIN_BCRYPT_COST ? Integer.MAX_VALUE : cost;
    }

    private static String digest(String algorithm, byte[] secret) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(secret));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has " + algorithm, e);
        }
    }

    private static String hex(String text, int length) {
        return Stream.of(
                        hexBytes(text),
                        base64Bytes(text, Base64.getDecoder()),
                        base64Bytes(text, Base64.getUrlDecoder()))
                .filter(Objects::nonNull)
                .filter(bytes -> bytes.length == length)
                .findFirst()
                .map(HexFormat.of()::formatHex)
                .orElseThrow(() ->
                        new IllegalArgumentException("It must be the hex or base64 text of " + length + " bytes"));
    }

    private static byte @Nullable [] hexBytes(String text) {
        try {
            return text.length() <= MAX_LENGTH ? HexFormat.of().parseHex(text) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte @Nullable [] base64Bytes(String text, Base64.Decoder decoder) {
        try {
            return text.length() <= MAX_LENGTH ? decoder.decode(text.getBytes(StandardCharsets.UTF_8)) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
