package io.credential.secret;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Argon2id with the PHC string as stored text; at most as many hashes at once as there are permits. */
final class Argon2idHash implements StoredHash {

    private final Argon2Cost cost;
    private final Argon2Cost ceiling;
    private final SecureRandom random;
    private final Argon2Permits permits;

    Argon2idHash(Argon2Settings settings, SecureRandom random) {
        this(Argon2Cost.of(settings), random, new Argon2Permits(settings.maxConcurrent(), settings.maxWait()));
    }

    private Argon2idHash(Argon2Cost cost, SecureRandom random, Argon2Permits permits) {
        this.cost = cost;
        this.ceiling = cost.ceiling();
        this.random = random;
        this.permits = permits;
    }

    @Override
    public StoredHash forSuspects() {
        return new Argon2idHash(cost, random, permits.forSuspects());
    }

    @Override
    public boolean owns(String storedHash) {
        return storedHash.startsWith(Argon2Phc.HEAD);
    }

    @Override
    public String hash(byte[] input) {
        byte[] salt = random(Argon2Phc.SALT_BYTES);
        return new Argon2Phc(cost, salt, compute(input, cost, salt)).text();
    }

    @Override
    public String decoy(byte[] unknown) {
        return new Argon2Phc(cost, random(Argon2Phc.SALT_BYTES), random(Argon2Phc.HASH_BYTES)).text();
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        Argon2Phc stored = Argon2Phc.parse(storedHash);
        return stored != null
                && isPermitted(stored.cost(), isAuthentic)
                && MessageDigest.isEqual(compute(input, stored.cost(), stored.salt()), stored.hash());
    }

    /** Whoever writes the database without the keyring could otherwise make each comparison as costly as possible. */
    private boolean isPermitted(Argon2Cost stored, BooleanSupplier isAuthentic) {
        return stored.isWithin(ceiling) || (stored.isWithin(Argon2Cost.LARGEST) && isAuthentic.getAsBoolean());
    }

    @Override
    public boolean isCurrent(String storedHash) {
        Argon2Phc stored = Argon2Phc.parse(storedHash);
        return stored != null && stored.cost().equals(cost) && stored.salt().length == Argon2Phc.SALT_BYTES;
    }

    private byte[] compute(byte[] input, Argon2Cost cost, byte[] salt) {
        return permits.with(() -> {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(cost.memoryKiB())
                    .withIterations(cost.iterations())
                    .withParallelism(cost.parallelism())
                    .withSalt(salt)
                    .build());
            byte[] hash = new byte[Argon2Phc.HASH_BYTES];
            generator.generateBytes(input, hash);
            return hash;
        });
    }
}
