package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.KeySearch;
import io.credential.apikey.internal.KeyReader.Position;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.search.JdbcTermStore.Hit;
import io.credential.apikey.internal.search.NamePrefix;
import io.credential.apikey.internal.search.SearchTerms;

/**
 * Searches keys, and counts them. An index leads to the keys of an owner, a name or a scope, or else to those of a time, newest
 * first. The other criteria are compared on the rows, of which each page reads a limited number.
 */
final class KeySearcher {

    private static final int CHUNK = 500;

    /** How many keys a page examines at most. */
    static final int MOST_EXAMINED = 4 * CHUNK;

    private static final Comparator<Place> NEWEST_FIRST = Comparator.comparingLong(
                    (Place place) -> place.position().createdAt())
            .thenComparing(place -> place.position().id())
            .reversed();

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final KeyReader reader;
    private final InstantSource clock;

    KeySearcher(
            Operations operations,
            RowAccess rows,
            JdbcApiKeyStore store,
            RowProtection protection,
            KeyReader reader,
            InstantSource clock) {
        this.operations = operations;
        this.rows = rows;
        this.store = store;
        this.protection = protection;
        this.reader = reader;
        this.clock = clock;
    }

    ApiKeyPage search(KeySearch search) {
        return operations.read("apikey.search", () -> {
            requireSearchable(search);
            ApiKeyPage page = page(search);
            return new Result<>(
                    page,
                    null,
                    Map.of("namespace", store.namespace(), "count", page.keys().size()));
        });
    }

    /** Not audited: the numbers reveal nothing about single keys, and dashboards read them often. */
    ApiKeyTotals totals() {
        return Operations.orUnavailable(() -> store.ledger().totals(clock.millis()));
    }

    private void requireSearchable(KeySearch search) {
        SearchTerms terms = store.ledger().terms();
        if (search.namePrefix() != null && !terms.searchNames()) {
            throw notSearched("name", "names");
        }
        if (search.scope() != null && !terms.searchScopes()) {
            throw notSearched("scope", "scopes");
        }
    }

    private static ApiKeyException notSearched(String criterion, String property) {
        return new ApiKeyException(
                ApiKeyErrorCode.BAD_OPT,
                "Keys cannot be searched by " + criterion + ": set 'credential.api-keys.search." + property
                        + "' to true, then call resealSealedColumns for the keys that exist");
    }

    private ApiKeyPage page(KeySearch search) {
        Function<Window, List<Place>> index = index(search);
        Position after = first(search);
        long now = clock.millis();
        List<ApiKey> found = new ArrayList<>();
        int examined = 0;
        while (true) {
            int most = examined == 0 ? Math.min(search.limit() + 1, CHUNK) : CHUNK;
            int size = Math.min(most, MOST_EXAMINED - examined);
            List<Place> places = index.apply(new Window(after, millis(search.createdFrom(), Long.MIN_VALUE), size));
            int left = places.size();
            for (Place place : places) {
                after = place.position();
                examined++;
                matching(place, search, now).ifPresent(found::add);
                boolean last = --left == 0 && places.size() < size;
                if (found.size() == search.limit() && !last) {
                    return new ApiKeyPage(found, after.cursor());
                }
            }
            if (places.size() < size) {
                return new ApiKeyPage(found, null);
            }
            if (examined == MOST_EXAMINED) {
                return new ApiKeyPage(found, after.cursor());
            }
        }
    }

    /** Returns the later of the position of the cursor and {@code createdBefore}. */
    private static Position first(KeySearch search) {
        Position after = Position.of(search.cursor());
        long before = millis(search.createdBefore(), Long.MAX_VALUE);
        return before <= after.createdAt() ? new Position(before, "") : after;
    }

    private static long millis(@Nullable Instant time, long otherwise) {
        Long millis = KeyContents.millis(time);
        return millis == null ? otherwise : millis;
    }

    /** Returns a reader of the index for the most selective criterion. */
    private Function<Window, List<Place>> index(KeySearch search) {
        String namespace = store.namespace();
        SearchTerms terms = store.ledger().terms();
        if (search.ownerId() != null) {
            List<String> hashes = protection.ownerIdHashes(namespace, search.ownerId());
            return window -> merged(hashes.stream().flatMap(hash -> rows(hash, window)), window);
        }
        if (search.namePrefix() != null) {
            return ofTerms(terms.ofPrefix(namespace, NamePrefix.normalized(search.namePrefix())));
        }
        if (search.scope() != null) {
            return ofTerms(terms.ofScope(namespace, search.scope()));
        }
        return window -> rows(null, window).toList();
    }

    private Stream<Place> rows(@Nullable String ownerIdHash, Window window) {
        return store.pages().search(ownerIdHash, window.after(), window.createdFrom(), window.size()).stream()
                .map(row -> new Place(new Position(row.identity().createdAt(), row.id()), row));
    }

    private Function<Window, List<Place>> ofTerms(List<String> terms) {
        return window -> {
            Hit after = new Hit(window.after().createdAt(), window.after().id());
            List<Place> hits =
                    merged(
                            terms.stream()
                                    .flatMap(term -> store
                                            .ledger()
                                            .termStore()
                                            .search(term, after, window.createdFrom(), window.size())
                                            .stream())
                                    .map(hit -> new Place(new Position(hit.createdAt(), hit.id()), null)),
                            window);
            return withRows(hits);
        };
    }

    /** During the replacement of an index key, a key is found under either. */
    private static List<Place> merged(Stream<Place> places, Window window) {
        Map<Position, Place> distinct = new HashMap<>();
        places.forEach(place -> distinct.putIfAbsent(place.position(), place));
        return distinct.values().stream()
                .sorted(NEWEST_FIRST)
                .limit(window.size())
                .toList();
    }

    private List<Place> withRows(List<Place> hits) {
        if (hits.isEmpty()) {
            return hits;
        }
        Map<Position, ApiKeyRow> found =
                store
                        .findAll(hits.stream()
                                .map(hit -> hit.position().id())
                                .distinct()
                                .toList())
                        .stream()
                        .collect(Collectors.toMap(
                                row -> new Position(row.identity().createdAt(), row.id()), Function.identity()));
        return hits.stream()
                .map(hit -> new Place(hit.position(), found.get(hit.position())))
                .toList();
    }

    /** The sealed criteria are compared last, on the authentic row, because anyone who can write terms can forge them. */
    private Optional<ApiKey> matching(Place place, KeySearch search, long now) {
        ApiKeyRow row = place.row();
        if (row == null) {
            return Optional.empty();
        }
        if (!hasState(row, search, now) || !isUsed(row, search)) {
            reader.reportUnlessTrusted(row);
            return Optional.empty();
        }
        return reader.listed(row).filter(key -> isDescribed(key, search));
    }

    private static boolean hasState(ApiKeyRow row, KeySearch search, long now) {
        return search.states().isEmpty() || search.states().contains(row.stateAt(now));
    }

    private boolean isUsed(ApiKeyRow row, KeySearch search) {
        Long lastUsedAt = rows.lastUsedAt(row);
        if (lastUsedAt == null) {
            return search.lastUsedFrom() == null && search.lastUsedBefore() == null;
        }
        return !search.neverUsed()
                && lastUsedAt >= millis(search.lastUsedFrom(), Long.MIN_VALUE)
                && (search.lastUsedBefore() == null || lastUsedAt < millis(search.lastUsedBefore(), Long.MAX_VALUE));
    }

    private static boolean isDescribed(ApiKey key, KeySearch search) {
        return (search.scope() == null || key.scopes().contains(search.scope()))
                && (search.namePrefix() == null
                        || (key.name() != null
                                && NamePrefix.normalized(key.name())
                                        .startsWith(NamePrefix.normalized(search.namePrefix()))));
    }

    /** A part of an index. */
    private record Window(Position after, long createdFrom, int size) {}

    /** @param row null if there is none at this place */
    private record Place(Position position, @Nullable ApiKeyRow row) {}
}
