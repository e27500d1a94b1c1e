package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.credential.apikey.ApiKey;

/**
 * Notes which keys are used with their old secret shortly before it stops working. Notes are kept in memory until they are
 * reported, so that a verification writes nothing. Bounded: if too many keys wait, further ones are noted when they are used
 * after the next report. Thread-safe.
 */
final class OldSecretUses {

    private static final int CAPACITY = 10_000;

    private final Duration notice;
    private final InstantSource clock;
    private final Map<OldSecret, Instant> uses = new ConcurrentHashMap<>();

    /** @param notice how long before the end of the grace period uses are noted */
    OldSecretUses(Duration notice, InstantSource clock) {
        this.notice = notice;
        this.clock = clock;
    }

    /** The secret of a key before a graceful rotation, and when it stops working. */
    record OldSecret(String namespace, String keyId, Instant expiresAt) {}

    /** Notes a use of an old secret. */
    void used(ApiKey key) {
        Instant end = key.secondaryExpiresAt();
        Instant now = clock.instant();
        if (end != null && !now.isBefore(end.minus(notice)) && uses.size() < CAPACITY) {
            uses.putIfAbsent(new OldSecret(key.namespace(), key.id(), end), now);
        }
    }

    /** Returns the uses that have been noted: for each old secret, the first. */
    List<Map.Entry<OldSecret, Instant>> noted() {
        return List.copyOf(uses.entrySet());
    }

    /** Forgets uses that were reported. */
    void reported(List<Map.Entry<OldSecret, Instant>> reported) {
        reported.forEach(use -> uses.remove(use.getKey()));
    }
}
