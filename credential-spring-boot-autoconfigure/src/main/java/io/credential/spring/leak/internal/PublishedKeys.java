package io.credential.spring.leak.internal;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys that a partner publishes. They are fetched when they are first needed, after an hour, and for an unknown
 * id, at most once a minute: anybody can send unknown ids. Until then, it is not known whether such an id exists. If the keys
 * cannot be fetched, those known are used for a day.
 * Thread-safe.
 */
public final class PublishedKeys implements ReportKeys {

    static final Duration REFRESH_AFTER = Duration.ofHours(1);
    static final Duration USABLE_FOR = Duration.ofDays(1);
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);

    private final Source source;
    private final InstantSource clock;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable Published published;
    private @Nullable Instant attemptedAt; // guarded by the lock

    public PublishedKeys(Source source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Fetches the keys. */
    @FunctionalInterface
    public interface Source {

        /**
         * @param etag of the keys that are known; null if none are
         * @return the keys, or empty if they are still those with the tag
         * @throws IOException if they cannot be fetched, or are not what is expected
         */
        Optional<Fetched> fetch(@Nullable String etag) throws IOException;
    }

    /** @param etag null if the partner sent none */
    public record Fetched(
            Map<String, ReportKey> keys, @Nullable String etag) {

        public Fetched {
            keys = Map.copyOf(keys);
        }
    }

    private record Published(Fetched fetched, Instant confirmedAt) {

        boolean isYounger(Duration age, Instant now) {
            return now.isBefore(confirmedAt.plus(age));
        }
    }

    @Override
    public Optional<ReportKey> find(String keyId) {
        Instant now = clock.instant();
        Published known = published;
        if (known != null
                && known.isYounger(REFRESH_AFTER, now)
                && known.fetched().keys().containsKey(keyId)) {
            return Optional.ofNullable(known.fetched().keys().get(keyId));
        }
        boolean tried = refresh(now);
        known = published;
        if (known == null || !known.isYounger(USABLE_FOR, now)) {
            throw new KeysUnavailableException("The public keys could not be fetched");
        }
        ReportKey key = known.fetched().keys().get(keyId);
        if (key == null && !tried) {
            throw new KeysUnavailableException("The key may have been published since the keys were last fetched");
        }
        return Optional.ofNullable(key);
    }

    /**
     * Returns whether this call has tried to fetch the keys: not while another thread does, since no request waits for that
     * of another, nor during the pause.
     */
    private boolean refresh(Instant now) {
        if (!fetching.tryLock()) {
            return false;
        }
        try {
            if (attemptedAt != null && now.isBefore(attemptedAt.plus(PAUSE))) {
                return false;
            }
            attemptedAt = now;
            fetch(now);
            return true;
        } finally {
            fetching.unlock();
        }
    }

    private void fetch(Instant now) {
        Published known = published;
        try {
            Optional<Fetched> fetched =
                    source.fetch(known == null ? null : known.fetched().etag());
            Fetched current = fetched.orElseGet(() -> known == null ? new Fetched(Map.of(), null) : known.fetched());
            published = new Published(current, now);
        } catch (IOException e) {
            LOG.warn(
                    "Could not fetch the public keys of 'credential.api-keys.leak-reports.public-keys-url'; trying again in"
                            + " a minute, if a report needs them",
                    e);
        }
    }
}
