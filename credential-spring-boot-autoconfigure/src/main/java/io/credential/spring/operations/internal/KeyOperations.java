package io.credential.spring.operations.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.hygiene.KeyCounter;
import io.credential.apikey.internal.hygiene.KeyCounts;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Shows and changes the API keys of all registries, each of which is named by its namespace. All operations throw an {@link
 * ApiKeyException} with the code {@code api-key/not-found} if the registry does not exist; those of a single key also if the
 * key does not. Thread-safe.
 */
public final class KeyOperations {

    /** The states and findings by which keys can be shown, as text. */
    public static final List<String> SHOWN = Stream.concat(
                    Arrays.stream(ApiKeyState.values()).map(ApiKeyState::text),
                    Arrays.stream(KeyFinding.values()).map(KeyFinding::text))
            .toList();

    private final ApiKeyRegistries registries;
    private final KeyCounter counter;
    private final Predicate<String> tracksLastUsed;
    private final InstantSource clock;

    /** @param tracksLastUsed tells whether the registry of a namespace tracks the last use of its keys */
    public KeyOperations(
            ApiKeyRegistries registries,
            CredentialDatabase database,
            Predicate<String> tracksLastUsed,
            InstantSource clock) {
        this.registries = registries;
        this.counter = new KeyCounter(database);
        this.tracksLastUsed = tracksLastUsed;
        this.clock = clock;
    }

    /**
     * A registry with the numbers of its keys.
     *
     * @param unused how many active keys were not used for long; null if the registry does not track last uses
     * @param complete false if only the newest keys were examined for findings, so that their numbers are lower bounds
     */
    public record RegistrySummary(
            String namespace,
            String prefix,
            ApiKeyTotals totals,
            int neverExpiring,
            @Nullable Integer unused,
            int expiringSoon,
            boolean complete) {}

    /**
     * A page of keys, the newest first. It may have fewer keys than the limit although others follow.
     *
     * @param nextCursor null on the last page
     */
    public record ExaminedPage(
            List<ExaminedKey> keys, @Nullable String nextCursor) {}

    /** Counts the keys of each registry by state and finding, in the order of their namespaces. */
    public List<RegistrySummary> registries() {
        return registries.all().stream()
                .sorted(Comparator.comparing(ApiKeyRegistry::namespace))
                .map(this::summary)
                .toList();
    }

    /** Returns the namespaces of the registries, sorted; reads nothing from the database. */
    public List<String> namespaces() {
        return registries.all().stream().map(ApiKeyRegistry::namespace).sorted().toList();
    }

    /** Counts the keys of one registry by state and finding, in two statements once its totals are kept. */
    public RegistrySummary registry(String namespace) {
        return summary(existing(namespace));
    }

    private RegistrySummary summary(ApiKeyRegistry registry) {
        Instant now = clock.instant();
        KeyCounts counts =
                counter.count(registry.namespace(), now, now.minus(KeyFinding.IDLE), now.plus(KeyFinding.SOON));
        return new RegistrySummary(
                registry.namespace(),
                registry.prefix(),
                registry.totals(),
                counts.neverExpiring(),
                tracksLastUsed.test(registry.namespace()) ? counts.unused() : null,
                counts.expiringSoon(),
                counts.complete());
    }

    /**
     * Returns one page of the keys of a registry.
     *
     * @param show the text of a state or finding, which replaces the states of the search; null to keep them
     * @throws ApiKeyException {@code api-key/bad-opt} if it is neither
     */
    public ExaminedPage search(String namespace, KeySearch search, @Nullable String show) {
        ApiKeyRegistry found = existing(namespace);
        Optional<KeyFinding> finding = Optional.ofNullable(show).flatMap(KeyFinding::ofText);
        ApiKeyPage page = found.search(
                show == null ? search : search.withStates(finding.isPresent() ? ApiKeyState.ACTIVE : state(show)));
        return new ExaminedPage(
                page.keys().stream()
                        .map(key -> examined(found, key))
                        .filter(key -> finding.isEmpty() || key.findings().contains(finding.get()))
                        .toList(),
                page.nextCursor());
    }

    private static ApiKeyState state(String text) {
        return Arrays.stream(ApiKeyState.values())
                .filter(state -> state.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "show must be one of: " + String.join(", ", SHOWN)));
    }

    /** Returns one key in any state. */
    public ExaminedKey key(String namespace, String id) {
        ApiKeyRegistry found = existing(namespace);
        return examined(found, existing(found, id));
    }

    /**
     * Returns how often a key was used on the last days, without the days on which it was not.
     *
     * @param days how many days, including today; null for all that are kept
     */
    public List<ApiKeyUsage> usage(String namespace, String id, @Nullable Integer days) {
        ApiKeyRegistry found = existing(namespace);
        ApiKey key = existing(found, id);
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        int count = days == null ? ApiKeyUsage.DAYS_KEPT : days;
        return found.usage(key.id(), today.minusDays(count - 1L), today);
    }

    public IssuedApiKey issue(String namespace, IssueRequest request) {
        return existing(namespace).issue(request);
    }

    public RotatedApiKey rotate(String namespace, String id, Rotation rotation) {
        return existing(namespace).rotate(id, rotation);
    }

    /** Changes limits, networks and other values of a key, and returns it as it is then. */
    public ExaminedKey update(String namespace, String id, ApiKeyChanges changes) {
        ApiKeyRegistry found = existing(namespace);
        return examined(found, found.update(id, changes));
    }

    /** Returns false for a key that was already disabled. */
    public boolean disable(String namespace, String id) {
        return existing(namespace).disable(id);
    }

    /** Returns false for a key that was already enabled. */
    public boolean enable(String namespace, String id) {
        return existing(namespace).enable(id);
    }

    /** Returns false for a key that was already revoked. */
    public boolean revoke(String namespace, String id) {
        ApiKeyRegistry found = existing(namespace);
        if (found.revoke(id)) {
            return true;
        }
        var unused = existing(found, id);
        return false;
    }

    /** Does not repeat the text: it may be anything, even a token. */
    private ApiKeyRegistry existing(String namespace) {
        return registries.all().stream()
                .filter(registry -> registry.namespace().equals(namespace))
                .findFirst()
                .orElseThrow(() -> new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No registry has this namespace"));
    }

    private static ApiKey existing(ApiKeyRegistry registry, String id) {
        return registry.getById(id)
                .orElseThrow(() -> new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No API key has this id"));
    }

    private ExaminedKey examined(ApiKeyRegistry registry, ApiKey key) {
        return ExaminedKey.of(key, clock.instant(), tracksLastUsed.test(registry.namespace()));
    }
}
