package io.credential.secret.internal;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.secret.HashAlgorithm;

/** A parsed stored hash: {@code $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>}. Immutable. */
final class Argon2Phc {

    static final String HEAD = "$" + HashAlgorithm.ARGON2ID.text() + "$";

    /** The length of the hashes that this library computes. */
    static final int HASH_BYTES = 32;

    private static final int MIN_SALT_BYTES = 8;
    private static final int MIN_HASH_BYTES = 16;
    private static final int MAX_LENGTH = 256;
    private static final Pattern FORM = Pattern.compile("\\$argon2id\\$v=19"
            + "\\$m=([1-9][0-9]{0,6}),t=([1-9][0-9]{0,2}),p=([1-9][0-9]{0,2})"
            + "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");
    private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();

    private final Argon2Cost cost;
    private final byte[] salt;
    private final byte[] hash;

    Argon2Phc(Argon2Cost cost, byte[] salt, byte[] hash) {
        this.cost = cost;
        this.salt = salt;
        this.hash = hash;
    }

    /** Returns null unless the text is exactly what {@link #text} returns. */
    static @Nullable Argon2Phc parse(String text) {
        Argon2Phc parsed = parseAny(text);
        return parsed == null || parsed.hash.length != HASH_BYTES ? null : parsed;
    }

    /** Returns null unless the text has this form, with a hash of 16 to 64 bytes. */
    static @Nullable Argon2Phc parseAny(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        byte[] salt = decode(form.group(4));
        byte[] hash = decode(form.group(5));
        if (salt == null || hash == null || salt.length < MIN_SALT_BYTES || hash.length < MIN_HASH_BYTES) {
            return null;
        }
        Argon2Cost cost = new Argon2Cost(
                Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
        return new Argon2Phc(cost, salt, hash);
    }

    String text() {
        return HEAD + "v=19$m=" + cost.memoryKiB() + ",t=" + cost.iterations() + ",p=" + cost.parallelism() + "$"
                + ENCODER.encodeToString(salt) + "$" + ENCODER.encodeToString(hash);
    }

    Argon2Cost cost() {
        return cost;
    }

    byte[] salt() {
        return salt;
    }

    byte[] hash() {
        return hash;
    }

    /** Returns null for a length that no encoder produces, and for stray bits in the last character. */
    private static byte @Nullable [] decode(String base64) {
        if (base64.length() % 4 == 1) {
            return null;
        }
        byte[] bytes = Base64.getDecoder().decode(base64);
        return ENCODER.encodeToString(bytes).equals(base64) ? bytes : null;
    }
}
