package io.credential.apikey;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.secret.HashAlgorithm;
import io.credential.secret.HasherBusyException;
import io.credential.secret.SecretHasher;
import io.credential.secret.StripedPool;

/**
 * Hashes secrets, and remembers which presented secret has which stored hash and which has not. Both are facts about
 * two texts, whatever else a row says, so they stay true when the row changes. In place of the texts, this class keeps
 * their MAC under a random key of this instance.
 *
 * <p>A match that Argon2id has shown is not computed again. A mismatch is computed each time, so that every rejection
 * costs the same, except for suspects: callers who were rejected too often. Matches and mismatches are kept separately,
 * so that guesses displace no match. Thread-safe.
 */
final class RememberedHashes {

    /** Each entry takes about 150 bytes. */
    private static final int CAPACITY = 20_000;

    private static final int MAX_SUSPECTS_PER_KEY = 4;

    /** How many callers may wait for a hash that another caller with the same token computes. */
    private static final int MAX_WAITING = 16;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String CHEAP = HashAlgorithm.SHAKE256.text() + "$";

    private final SecretHasher hasher;
    private final SecretHasher suspectHasher;
    private final StripedPool<Mac> macs;
    private final Cache<String, Boolean> matches = cache();
    private final Cache<String, Boolean> mismatches = cache();
    private final ConcurrentMap<String, Comparison> running = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Integer> suspects = new ConcurrentHashMap<>();

    RememberedHashes(SecretHasher hasher, SecureRandom random) {
        this.hasher = hasher;
        this.suspectHasher = hasher.forSuspects();
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

    /** As {@link SecretHasher#hash}. */
    String hash(byte[] input) {
        String storedHash = hasher.hash(input);
        if (isCostly(storedHash)) {
            matches.put(fact(input, storedHash), true);
        }
        return storedHash;
    }

    /** As {@link SecretHasher#decoy}. */
    String decoy(byte[] unknown) {
        return hasher.decoy(unknown);
    }

    /** As {@link SecretHasher#needsRehash}. */
    boolean needsRehash(String storedHash) {
        return hasher.needsRehash(storedHash);
    }

    /** As {@link SecretHasher#matches(byte[], String, BooleanSupplier)}. */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        boolean costly = isCostly(storedHash);
        if (costly && matches.getIfPresent(fact(input, storedHash)) != null) {
            return true;
        }
        Decision decision = new Decision(isAuthentic);
        boolean matched = hasher.matches(input, storedHash, decision);
        if (!matched || costly) {
            remember(fact(input, storedHash), matched, decision);
        }
        return matched;
    }

    /**
     * Returns the same as {@link #matches}. Computes nothing that is remembered, and the rest with part of the permits.
     *
     * @param id of the key: suspects who claim one key do not delay those who claim another
     * @throws HasherBusyException if too many suspects wait, or no permit was free in time
     */
    boolean matchesSuspect(String id, byte[] input, String storedHash, BooleanSupplier isAuthentic) {
        String fact = fact(input, storedHash);
        if (matches.getIfPresent(fact) != null) {
            return true;
        }
        if (mismatches.getIfPresent(fact) != null) {
            return false;
        }
        return once(fact, () -> {
            Decision decision = new Decision(isAuthentic);
            boolean matched = isCostly(storedHash)
                    ? limited(id, () -> suspectHasher.matches(input, storedHash, decision))
                    : suspectHasher.matches(input, storedHash, decision);
            remember(fact, matched, decision);
            return matched;
        });
    }

    private boolean limited(String id, BooleanSupplier work) {
        try {
            if (suspects.merge(id, 1, Integer::sum) > MAX_SUSPECTS_PER_KEY) {
                throw new HasherBusyException(
                        "More than " + MAX_SUSPECTS_PER_KEY + " different secrets are being compared"
                                + " with one API key, for callers whose keys were rejected too often");
            }
            return work.getAsBoolean();
        } finally {
            suspects.compute(id, (key, callers) -> callers == null || callers == 1 ? null : callers - 1);
        }
    }

    /** Requests with the same token that arrive together cost one hash. */
    private boolean once(String fact, BooleanSupplier work) {
        Comparison own = new Comparison(new CompletableFuture<>(), new AtomicInteger());
        Comparison other = running.putIfAbsent(fact, own);
        if (other != null) {
            return result(other);
        }
        try {
            boolean matched = work.getAsBoolean();
            own.matched().complete(matched);
            return matched;
        } catch (RuntimeException | Error e) {
            own.matched().completeExceptionally(e);
            throw e;
        } finally {
            running.remove(fact, own);
        }
    }

    /** Waits no longer than the first caller, which waits for permits for a limited time. */
    private static boolean result(Comparison other) {
        if (other.waiting().incrementAndGet() > MAX_WAITING) {
            throw new HasherBusyException("More than " + MAX_WAITING
                    + " requests with one token wait for its hash, whose" + " caller's keys were rejected too often");
        }
        try {
            return other.matched().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** A mismatch that depends on the authenticity of a row is not a fact about the two texts. */
    private void remember(String fact, boolean matched, Decision decision) {
        if (matched) {
            matches.put(fact, true);
        } else if (!decision.asked) {
            mismatches.put(fact, true);
        }
    }

    private static boolean isCostly(String storedHash) {
        return !storedHash.startsWith(CHEAP);
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

    /** @param waiting how many callers have waited: they must not occupy every thread */
    private record Comparison(CompletableFuture<Boolean> matched, AtomicInteger waiting) {}

    /** Notes whether the comparison depended on the authenticity of the row. */
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
