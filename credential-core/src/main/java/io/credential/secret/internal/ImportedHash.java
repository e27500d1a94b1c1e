package io.credential.secret.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;

import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * Compares with the hashes of other systems, see {@link ImportedHashes}. Its inputs are the secrets alone, or their MACs.
 */
final class ImportedHash implements StoredHash {

    /** What a hash of unknown origin may cost: some 0.3 seconds. */
    private static final int USUAL_BCRYPT_COST = 12;

    private final Argon2idHash argon2id;
    private final HashPermits permits;

    /** These hashes have no fast check, so guesses take permits, but none of those that issued keys need. */
    ImportedHash(Argon2Settings settings, SecureRandom random) {
        this.permits = new HashPermits(Math.max(1, settings.maxConcurrent() / 2), settings.maxWait());
        this.argon2id = new Argon2idHash(settings, random, permits);
    }

    @Override
    public boolean owns(String storedHash) {
        return ImportedHashes.owns(storedHash);
    }

    @Override
    public boolean isCostly(String storedHash) {
        return storedHash.startsWith(ImportedHashes.BCRYPT) || storedHash.startsWith(ImportedHashes.ARGON2ID);
    }

    @Override
    public boolean mayMatch(byte[] input, String storedHash) {
        return isCostly(storedHash) || matchesDigest(input, storedHash);
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        if (!isCostly(storedHash)) {
            return matchesDigest(input, storedHash);
        }
        String hash = storedHash.substring(ImportedHashes.HEAD.length());
        return storedHash.startsWith(ImportedHashes.BCRYPT)
                ? matchesBcrypt(input, hash, isAuthentic)
                : argon2id.matchesImported(input, hash, isAuthentic);
    }

    private static boolean matchesDigest(byte[] input, String storedHash) {
        if (storedHash.startsWith(ImportedHashes.SHA256)) {
            return equal(ImportedHashes.sha256Of(input), storedHash);
        }
        if (storedHash.startsWith(ImportedHashes.SHA512)) {
            return equal(ImportedHashes.sha512Of(input), storedHash);
        }
        return ImportedHashes.isHmac(storedHash) && equal(ImportedHashes.hmacSha256Of(input), storedHash);
    }

    private boolean matchesBcrypt(byte[] input, String hash, BooleanSupplier isAuthentic) {
        int cost = ImportedHashes.bcryptCost(hash);
        boolean permitted =
                cost <= USUAL_BCRYPT_COST || (cost <= ImportedHashes.MAX_BCRYPT_COST && isAuthentic.getAsBoolean());
        return permitted && permits.with(() -> OpenBSDBCrypt.checkPassword(hash, input));
    }

    private static boolean equal(String computed, String stored) {
        return MessageDigest.isEqual(
                computed.getBytes(StandardCharsets.ISO_8859_1), stored.getBytes(StandardCharsets.ISO_8859_1));
    }
}
