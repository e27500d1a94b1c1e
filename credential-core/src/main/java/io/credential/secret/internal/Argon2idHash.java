package io.credential.secret.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2id with the PHC string as stored text; at most as many hashes at once as there are permits.
 *
 * <p>The last two bytes of a salt are a check value of the input. An input that fails this check costs one fast hash and
 * no permit, so that guesses occupy no permits. The check value reveals 16 of the at least 128 random bits of a secret
 * to a reader of the database. A salt of another length has no check value.
 */
final class Argon2idHash implements HashMethod {

    private static final byte[] CHECK_TAG = "credential/argon2id-check/v1".getBytes(StandardCharsets.US_ASCII);
    private static final int RANDOM_BYTES = 16;
    private static final int CHECK_BYTES = 2;
    private static final int SALT_BYTES = RANDOM_BYTES + CHECK_BYTES;

    private final Argon2Cost cost;
    private final Argon2Cost ceiling;
    private final SecureRandom random;
    private final HashPermits permits;

    Argon2idHash(Argon2Settings settings, SecureRandom random, HashPermits permits) {
        this.cost = Argon2Cost.of(settings);
        this.ceiling = cost.ceiling();
        this.random = random;
        this.permits = permits;
    }

    @Override
    public boolean owns(String storedHash) {
        return storedHash.startsWith(Argon2Phc.HEAD);
    }

    @Override
    public boolean isCostly(String storedHash) {
        return true;
    }

    @Override
    public String hash(byte[] input) {
        byte[] salt = Arrays.copyOf(random(RANDOM_BYTES), SALT_BYTES);
        System.arraycopy(check(input, salt), 0, salt, RANDOM_BYTES, CHECK_BYTES);
        return new Argon2Phc(cost, salt, compute(input, cost, salt, Argon2Phc.HASH_BYTES)).text();
    }

    @Override
    public String decoy(byte[] unknown) {
        return new Argon2Phc(cost, random(SALT_BYTES), random(Argon2Phc.HASH_BYTES)).text();
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        Argon2Phc stored = Argon2Phc.parse(storedHash);
        return stored != null && passesCheck(input, stored.salt()) && matches(input, stored, isAuthentic);
    }

    /** Whether a secret has the hash of another system, whose salt has no check value. */
    boolean matchesImported(byte[] secret, String hash, BooleanSupplier isAuthentic) {
        Argon2Phc stored = Argon2Phc.parseAny(hash);
        return stored != null && matches(secret, stored, isAuthentic);
    }

    private boolean matches(byte[] input, Argon2Phc stored, BooleanSupplier isAuthentic) {
        byte[] hash = stored.hash();
        return isPermitted(stored.cost(), isAuthentic)
                && MessageDigest.isEqual(compute(input, stored.cost(), stored.salt(), hash.length), hash);
    }

    @Override
    public boolean mayMatch(byte[] input, String storedHash) {
        Argon2Phc stored = Argon2Phc.parse(storedHash);
        return stored != null && passesCheck(input, stored.salt());
    }

    private static boolean passesCheck(byte[] input, byte[] salt) {
        return salt.length != SALT_BYTES
                || MessageDigest.isEqual(check(input, salt), Arrays.copyOfRange(salt, RANDOM_BYTES, SALT_BYTES));
    }

    private static byte[] check(byte[] input, byte[] salt) {
        SHAKEDigest digest = new SHAKEDigest(256);
        digest.update(CHECK_TAG, 0, CHECK_TAG.length);
        digest.update(salt, 0, RANDOM_BYTES);
        digest.update(input, 0, input.length);
        byte[] check = new byte[CHECK_BYTES];
        digest.doFinal(check, 0, CHECK_BYTES);
        return check;
    }

    /** Whoever writes the database without the keyring could otherwise make each comparison as costly as possible. */
    private boolean isPermitted(Argon2Cost stored, BooleanSupplier isAuthentic) {
        return stored.isWithin(ceiling) || (stored.isWithin(Argon2Cost.LARGEST) && isAuthentic.getAsBoolean());
    }

    @Override
    public boolean isCurrent(String storedHash) {
        Argon2Phc stored = Argon2Phc.parse(storedHash);
        return stored != null && stored.cost().equals(cost) && stored.salt().length == SALT_BYTES;
    }

    private byte[] compute(byte[] input, Argon2Cost cost, byte[] salt, int length) {
        return permits.with(() -> {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(cost.memoryKiB())
                    .withIterations(cost.iterations())
                    .withParallelism(cost.parallelism())
                    .withSalt(salt)
                    .build());
            byte[] hash = new byte[length];
            generator.generateBytes(input, hash);
            return hash;
        });
    }
}
