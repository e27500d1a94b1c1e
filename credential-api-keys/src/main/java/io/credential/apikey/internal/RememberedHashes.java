package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.secret.internal.SecretHasher;
import io.credential.secret.internal.StripedPool;

/**
 * Hashes secrets, and remembers the results of costly comparisons. A result depends only on the secret and the stored
 * hash, so it stays true when the rest of the row changes. Instead of both texts, their MAC under a random key is kept.
 * Matches and mismatches are kept separately, so that guesses displace no match. Thread-safe.
 */
final class RememberedHashes {

    /** Each entry takes about 150 bytes. */
    private static final int CAPACITY = 20_000;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretHasher hasher;
    private final StripedPool<Mac> macs;
    private final Cache<String, Boolean> matches = cache();
    private final Cache<String, Boolean> mismatches = cache();

    RememberedHashes(SecretHasher hasher, SecureRandom random) {
        this.hasher = hasher;
        byte[] key = new byte[32];
        random.nextBytes(key);
        SecretKeySpec macKey = new SecretKeySpec(key, ALGORITHM);
        this.macs = new StripedPool<>(() -> mac(macKey));
    }

    private static Cache<String, Boolean> cache() {
        return Caffeine.newBuilder()
                .maximumSize(CAPACITY)
                .executor(Runnable::run)
                .build();
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
        }
    }

    /** Returns the stored hash of a secret, and remembers that they match. */
    String hash(byte[] input) {
        String storedHash = hasher.hash(input);
        if (hasher.isCostly(storedHash)) {
            matches.put(fact(input, storedHash), true);
        }
        return storedHash;
    }

    /** Returns a stored hash that no secret matches. */
    String decoy(byte[] unknown) {
        return hasher.decoy(unknown);
    }

    /** Returns whether the secret must be hashed again, because the settings have changed. */
    boolean needsRehash(String storedHash) {
        return hasher.needsRehash(storedHash);
    }

    /** Returns whether the secret passes the fast check. */
    boolean mayMatch(byte[] input, String storedHash) {
        return hasher.mayMatch(input, storedHash);
    }

    /**
     * Returns whether the secret has this hash. Computes a costly hash only if the secret passes the fast check and the
     * result is not remembered.
     */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        if (!hasher.isCostly(storedHash)) {
            return hasher.matches(input, storedHash, isAuthentic);
        }
        if (!mayMatch(input, storedHash)) {
            return false;
        }
        String fact = fact(input, storedHash);
        if (matches.getIfPresent(fact) != null) {
            return true;
        }
        if (mismatches.getIfPresent(fact) != null) {
            return false;
        }
        Decision decision = new Decision(isAuthentic);
        boolean matched = hasher.matches(input, storedHash, decision);
        if (matched) {
            matches.put(fact, true);
        } else if (!decision.asked) {
            mismatches.put(fact, true);
        }
        return matched;
    }

    private String fact(byte[] input, String storedHash) {
        Mac mac = macs.take();
        byte[] stored = storedHash.getBytes(StandardCharsets.UTF_8);
        mac.update((byte) (stored.length >>> 24));
        mac.update((byte) (stored.length >>> 16));
        mac.update((byte) (stored.length >>> 8));
        mac.update((byte) stored.length);
        mac.update(stored);
        byte[] code = mac.doFinal(input);
        macs.give(mac);
        return new String(code, StandardCharsets.ISO_8859_1);
    }

    /** Records whether the result depended on the authenticity of the row: such a mismatch must not be remembered. */
    private static final class Decision implements BooleanSupplier {

        private final BooleanSupplier isAuthentic;
        private boolean asked;

        Decision(BooleanSupplier isAuthentic) {
            this.isAuthentic = isAuthentic;
        }

        @Override
        public boolean getAsBoolean() {
            asked = true;
            return isAuthentic.getAsBoolean();
        }
    }
}
