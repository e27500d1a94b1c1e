package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.credential.secret.Argon2Settings;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.SecretHasher;
import io.credential.secret.SecretHashers;

/** Counts hashes, and keeps what was hashed. Its Argon2id is cheap. */
final class CountingHasher implements SecretHasher {

    final AtomicInteger hashes = new AtomicInteger();
    final List<byte[]> inputs = new CopyOnWriteArrayList<>();
    private final SecretHasher hasher;

    CountingHasher(HashAlgorithm algorithm) {
        Argon2Settings cheap = new Argon2Settings(64, 1, 1, 4, Duration.ofMinutes(5));
        this.hasher = new SecretHashers(cheap, RegistryFixture.RANDOM).using(algorithm);
    }

    @Override
    public String hash(byte[] input) {
        count(input);
        return hasher.hash(input);
    }

    @Override
    public String decoy(byte[] unknown) {
        return hasher.decoy(unknown);
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        count(input);
        return hasher.matches(input, storedHash, isAuthentic);
    }

    private void count(byte[] input) {
        hashes.incrementAndGet();
        inputs.add(input);
    }

    @Override
    public boolean needsRehash(String storedHash) {
        return hasher.needsRehash(storedHash);
    }
}
