package io.credential.webhook.delivery.internal.endpoint;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/**
 * Knows the current endpoints. A claim reads its endpoint, but its attempt may start later: an endpoint that was read more
 * than half a second ago, or before this node has committed a change of it, is read again before the attempt starts.
 * After an endpoint is removed, replaced or paused, this node therefore starts no attempt with the old one, and other nodes
 * stop within a second. Thread-safe.
 */
public final class EndpointDirectory {

    private static final Duration FRESH = Duration.ofMillis(500);
    private static final int MAX_REMEMBERED = 10_000;

    private static final String FIND =
            "SELECT e.audience, " + Subscriber.COLUMNS + " FROM {endpoints} e WHERE e.endpoint_id = :endpointId";

    private final Function<String, @Nullable Subscriber> reader;
    private final LongSupplier nanoTime;
    private final Cache<String, Entry> entries;
    private final Cache<String, Long> changes;

    /** @param reader finds an endpoint in the database; null if there is none */
    EndpointDirectory(Function<String, @Nullable Subscriber> reader, LongSupplier nanoTime) {
        this.reader = reader;
        this.nanoTime = nanoTime;
        this.entries = Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();
        this.changes = Caffeine.newBuilder()
                .expireAfterWrite(FRESH.multipliedBy(2)) // endpoints that were read earlier are too old anyway
                .ticker(nanoTime::getAsLong)
                .build();
    }

    public static EndpointDirectory of(CredentialDatabase database, DispatcherTables tables) {
        String find = tables.in(FIND);
        return new EndpointDirectory(
                endpointId -> database.jdbc()
                        .sql(find)
                        .param("endpointId", endpointId)
                        .query((row, number) -> Subscriber.read(row, "audience"))
                        .optional()
                        .orElse(null),
                System::nanoTime);
    }

    /**
     * An endpoint as it was read.
     *
     * @param subscriber null if there was none
     * @param readAt the {@link System#nanoTime} before it was read
     */
    public record Entry(@Nullable Subscriber subscriber, long readAt) {}

    /**
     * Returns the current endpoint of a delivery: as it was read with the claim if that is recent enough.
     *
     * @throws DataAccessException if the database does not answer
     */
    public Entry current(ClaimedDelivery delivery) {
        String endpointId = delivery.endpointId();
        Entry claimed = new Entry(delivery.subscriber(), delivery.claim().madeAtNanos());
        if (isCurrent(endpointId, claimed)) {
            return claimed;
        }
        Entry known = entries.getIfPresent(endpointId);
        if (known != null && isCurrent(endpointId, known)) {
            return known;
        }
        long readAt = nanoTime.getAsLong();
        Entry read = new Entry(reader.apply(endpointId), readAt);
        entries.put(endpointId, read);
        return read;
    }

    /** Returns whether an attempt may start with this entry. */
    public boolean isCurrent(String endpointId, Entry entry) {
        Long changedAt = changes.getIfPresent(endpointId);
        return nanoTime.getAsLong() - entry.readAt < FRESH.toNanos()
                && (changedAt == null || changedAt - entry.readAt < 0);
    }

    /** Notes that this node has committed a change of an endpoint. */
    public void changed(String endpointId) {
        changes.put(endpointId, nanoTime.getAsLong());
    }
}
