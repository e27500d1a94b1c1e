package io.credential.spring.autoconfigure.actuate;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.hygiene.KeyCounter;
import io.credential.apikey.internal.hygiene.KeyCounts;
import io.credential.apikey.leak.internal.TokenMask;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Shows the API keys of all registries, and disables, enables, revokes and rotates them. Never shows a token, a hash, or what
 * is sealed at rest. Thread-safe.
 */
@Endpoint(id = "credentials", defaultAccess = Access.READ_ONLY)
final class CredentialsEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialsEndpoint.class);

    private static final List<String> FINDINGS =
            List.of(KeyView.NEVER_EXPIRING, KeyView.NOT_USED, KeyView.EXPIRING_SOON);

    private final ApiKeyRegistries registries;
    private final CredentialDatabase database;
    private final KeyCounter counter;
    private final Predicate<String> tracksLastUsed;
    private final @Nullable RotatedKeyHandler handler;
    private final InstantSource clock;

    /**
     * @param tracksLastUsed tells whether the registry of a namespace tracks the last use of its keys
     * @param handler null to refuse rotations
     */
    CredentialsEndpoint(
            ApiKeyRegistries registries,
            CredentialDatabase database,
            Predicate<String> tracksLastUsed,
            @Nullable RotatedKeyHandler handler,
            InstantSource clock) {
        this.registries = registries;
        this.database = database;
        this.counter = new KeyCounter(database);
        this.tracksLastUsed = tracksLastUsed;
        this.handler = handler;
        this.clock = clock;
    }

    /** Counts the keys of each registry by state and finding. */
    @ReadOperation
    Registries registries() {
        Map<String, Registry> byNamespace = new TreeMap<>();
        registries.all().forEach(registry -> byNamespace.put(registry.namespace(), summary(registry)));
        return new Registries(byNamespace);
    }

    /**
     * Returns one page of the keys of a registry, newest first. Owners, names and scopes are not supported as criteria,
     * because the URLs of requests are logged.
     *
     * @param show a state or finding of the keys to show; null for all
     */
    @ReadOperation
    Keys keys(
            @Selector String registry,
            @Nullable String show,
            @Nullable OffsetDateTime createdFrom,
            @Nullable OffsetDateTime createdBefore,
            @Nullable OffsetDateTime lastUsedFrom,
            @Nullable OffsetDateTime lastUsedBefore,
            @Nullable Boolean neverUsed,
            @Nullable Integer limit,
            @Nullable String cursor) {
        ApiKeyRegistry found = registry(registry);
        KeySearch all = KeySearch.all();
        boolean finding = show != null && FINDINGS.contains(show);
        ApiKeyPage page = found.search(new KeySearch(
                null,
                null,
                show == null ? all.states() : Set.of(finding ? ApiKeyState.ACTIVE : state(show)),
                null,
                instant(createdFrom),
                instant(createdBefore),
                instant(lastUsedFrom),
                instant(lastUsedBefore),
                Boolean.TRUE.equals(neverUsed),
                limit == null ? all.limit() : limit,
                cursor));
        return new Keys(
                page.keys().stream()
                        .map(key -> view(found, key))
                        .filter(key -> !finding || key.findings().contains(show))
                        .toList(),
                page.nextCursor());
    }

    private static ApiKeyState state(String text) {
        return Arrays.stream(ApiKeyState.values())
                .filter(state -> state.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT,
                        "show must be one of: "
                                + Stream.concat(
                                                Arrays.stream(ApiKeyState.values())
                                                        .map(ApiKeyState::text),
                                                FINDINGS.stream())
                                        .collect(Collectors.joining(", "))));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** Returns one key in any state. */
    @ReadOperation
    KeyView key(@Selector String registry, @Selector String id) {
        ApiKeyRegistry found = registry(registry);
        return view(found, existing(found, id));
    }

    /**
     * Returns how often a key was used on the last days.
     *
     * @param view must be {@code usage}
     * @param days how many days, including today; null for all that are kept
     */
    @ReadOperation
    Usage usage(@Selector String registry, @Selector String id, @Selector String view, @Nullable Integer days) {
        if (!view.equals("usage")) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "The last part of the path must be: usage");
        }
        ApiKeyRegistry found = registry(registry);
        ApiKey key = existing(found, id);
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        int count = days == null ? ApiKeyUsage.DAYS_KEPT : days;
        return new Usage(key.id(), found.usage(key.id(), today.minusDays(count - 1L), today));
    }

    @WriteOperation
    Change change(@Selector String registry, @Selector String id, @Selector String operation) {
        ApiKeyRegistry found = registry(registry);
        return switch (operation) {
            case "disable" -> new Change(id, operation, found.disable(id), null);
            case "enable" -> new Change(id, operation, found.enable(id), null);
            case "revoke" -> new Change(id, operation, revoke(found, id), null);
            case "rotate" -> new Change(id, operation, true, rotate(found, id).secondaryExpiresAt());
            default ->
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "operation must be one of: disable, enable, revoke, rotate");
        };
    }

    /** Returns false for a key that was already revoked. */
    private static boolean revoke(ApiKeyRegistry registry, String id) {
        if (registry.revoke(id)) {
            return true;
        }
        var unused = existing(registry, id);
        return false;
    }

    /**
     * Rotates gracefully, because the owner does not have the new token yet; a key that must stop working is disabled or
     * revoked. The handler runs before the commit: otherwise, if it fails, nobody would have the new token, and another rotation
     * would end the token that the owner uses.
     */
    private RotatedApiKey rotate(ApiKeyRegistry registry, String id) {
        RotatedKeyHandler receiver = handler;
        if (receiver == null) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "rotate needs a RotatedKeyHandler bean, which gets the new token: this endpoint never shows tokens");
        }
        return database.inTransaction(() -> {
            RotatedApiKey rotated = registry.rotate(id, Rotation.graceful());
            ApiKey key = existing(registry, id);
            try {
                receiver.handle(key, rotated);
            } catch (RuntimeException e) {
                // Its message may repeat the token.
                LOG.error(
                        "The RotatedKeyHandler failed, so API key {} was not rotated: {}",
                        key.id(),
                        TokenMask.mask(e.toString()));
                throw new ApiKeyException(
                        ApiKeyErrorCode.UNAVAILABLE,
                        "The RotatedKeyHandler failed, so the key was not rotated; the log tells why");
            }
            return rotated;
        });
    }

    /** Does not repeat the text: it may be anything, even a token. */
    private ApiKeyRegistry registry(String namespace) {
        return registries.all().stream()
                .filter(registry -> registry.namespace().equals(namespace))
                .findFirst()
                .orElseThrow(() -> new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No registry has this namespace"));
    }

    private static ApiKey existing(ApiKeyRegistry registry, String id) {
        return registry.getById(id)
                .orElseThrow(() -> new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No API key has this id"));
    }

    private KeyView view(ApiKeyRegistry registry, ApiKey key) {
        return KeyView.of(key, clock.instant(), tracksLastUsed.test(registry.namespace()));
    }

    private Registry summary(ApiKeyRegistry registry) {
        Instant now = clock.instant();
        KeyCounts counts = counter.count(registry.namespace(), now, now.minus(KeyView.UNUSED), now.plus(KeyView.SOON));
        return new Registry(
                registry.prefix(),
                registry.totals(),
                new Hygiene(
                        counts.neverExpiring(),
                        tracksLastUsed.test(registry.namespace()) ? counts.unused() : null,
                        counts.expiringSoon(),
                        counts.complete()));
    }

    /** @param registries by namespace */
    record Registries(Map<String, Registry> registries) implements OperationResponseBody {}

    record Registry(String prefix, ApiKeyTotals keys, Hygiene hygiene) {}

    /**
     * Active keys that deserve attention.
     *
     * @param unused null if the registry does not track last uses
     * @param complete false if only the newest keys were examined, so that the numbers are lower bounds
     */
    record Hygiene(int neverExpiring, @Nullable Integer unused, int expiringSoon, boolean complete) {}

    /**
     * A page of keys.
     *
     * @param nextCursor null on the last page
     */
    record Keys(List<KeyView> keys, @Nullable String nextCursor) implements OperationResponseBody {}

    /** @param usage of the days on which the key was used */
    record Usage(String id, List<ApiKeyUsage> usage) implements OperationResponseBody {}

    /**
     * The result of a change.
     *
     * @param changed false if the key was already in the requested state
     * @param secondaryExpiresAt after a rotation, when the old secret stops working
     */
    record Change(
            String id,
            String operation,
            boolean changed,
            @Nullable Instant secondaryExpiresAt) implements OperationResponseBody {}
}
