package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.Argon2Settings;
import io.credential.secret.internal.SecretHasher;
import io.credential.secret.internal.SecretHashers;

/** Counts hashes and fast checks, and keeps what was hashed. Its Argon2id is cheap, and has one permit. */
public final class CountingHasher implements SecretHasher {

    public final AtomicInteger hashes = new AtomicInteger();
    public final AtomicInteger checks = new AtomicInteger();
    public final List<byte[]> inputs = new CopyOnWriteArrayList<>();
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final SecretHasher hasher;

    public CountingHasher(HashAlgorithm algorithm) {
        Argon2Settings cheap = new Argon2Settings(64, 1, 1, 1, Duration.ZERO);
        this.hasher = new SecretHashers(cheap, RegistryFixture.RANDOM).using(algorithm);
    }

    public void reset() {
        hashes.set(0);
        checks.set(0);
    }

    /** Whether the input passes the fast check of a text from this hasher. One of 65,536 guesses does. */
    public boolean passesCheck(byte[] input) {
        return texts.stream().anyMatch(text -> hasher.mayMatch(input, text));
    }

    @Override
    public String hash(byte[] input) {
        count(input);
        return kept(hasher.hash(input));
    }

    @Override
    public String decoy(byte[] unknown) {
        return kept(hasher.decoy(unknown));
    }

    @Override
    public boolean mayMatch(byte[] input, String storedHash) {
        checks.incrementAndGet();
        return hasher.mayMatch(input, storedHash);
    }

    @Override
    public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        count(input);
        return hasher.matches(input, storedHash, isAuthentic);
    }

    @Override
    public boolean isCostly(String storedHash) {
        return hasher.isCostly(storedHash);
    }

    private void count(byte[] input) {
        hashes.incrementAndGet();
        inputs.add(input);
    }

    private String kept(String text) {
        texts.add(text);
        return text;
    }

    @Override
    public boolean needsRehash(String storedHash) {
        return hasher.needsRehash(storedHash);
    }
}
