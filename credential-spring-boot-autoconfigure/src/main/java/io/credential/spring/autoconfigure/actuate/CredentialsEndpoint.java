package io.credential.spring.autoconfigure.actuate;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.leak.internal.TokenMask;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.spring.operations.internal.KeyOperations.ExaminedPage;
import io.credential.spring.operations.internal.KeyOperations.RegistrySummary;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Shows the API keys of all registries, and disables, enables, revokes and rotates them. Never shows a token, a hash, or what
 * is sealed at rest. Thread-safe.
 */
@Endpoint(id = "credentials", defaultAccess = Access.READ_ONLY)
final class CredentialsEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialsEndpoint.class);

    private final KeyOperations keys;
    private final CredentialDatabase database;
    private final @Nullable RotatedKeyHandler handler;

    /**
     * @param database runs a rotation and its handler in one transaction
     * @param handler null to refuse rotations
     */
    CredentialsEndpoint(KeyOperations keys, CredentialDatabase database, @Nullable RotatedKeyHandler handler) {
        this.keys = keys;
        this.database = database;
        this.handler = handler;
    }

    /** Counts the keys of each registry by state and finding. */
    @ReadOperation
    Registries registries() {
        Map<String, Registry> byNamespace = new TreeMap<>();
        keys.registries().forEach(summary -> byNamespace.put(summary.namespace(), Registry.of(summary)));
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
        KeySearch all = KeySearch.all();
        ExaminedPage page = keys.search(
                registry,
                new KeySearch(
                        null,
                        null,
                        all.states(),
                        null,
                        instant(createdFrom),
                        instant(createdBefore),
                        instant(lastUsedFrom),
                        instant(lastUsedBefore),
                        Boolean.TRUE.equals(neverUsed),
                        limit == null ? all.limit() : limit,
                        cursor),
                show);
        return new Keys(page.keys().stream().map(KeyView::of).toList(), page.nextCursor());
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** Returns one key in any state. */
    @ReadOperation
    KeyView key(@Selector String registry, @Selector String id) {
        return KeyView.of(keys.key(registry, id));
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
        return new Usage(id, keys.usage(registry, id, days));
    }

    @WriteOperation
    Change change(@Selector String registry, @Selector String id, @Selector String operation) {
        return switch (operation) {
            case "disable" -> new Change(id, operation, keys.disable(registry, id), null);
            case "enable" -> new Change(id, operation, keys.enable(registry, id), null);
            case "revoke" -> new Change(id, operation, keys.revoke(registry, id), null);
            case "rotate" ->
                new Change(id, operation, true, rotate(registry, id).secondaryExpiresAt());
            default ->
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "operation must be one of: disable, enable, revoke, rotate");
        };
    }

    /**
     * Rotates gracefully, because the owner does not have the new token yet; a key that must stop working is disabled or
     * revoked. The handler runs before the commit: otherwise, if it fails, nobody would have the new token, and another rotation
     * would end the token that the owner uses.
     */
    private RotatedApiKey rotate(String registry, String id) {
        RotatedKeyHandler receiver = handler;
        if (receiver == null) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "rotate needs a RotatedKeyHandler bean, which gets the new token: this endpoint never shows tokens");
        }
        return database.inTransaction(() -> {
            RotatedApiKey rotated = keys.rotate(registry, id, Rotation.graceful());
            ApiKey key = keys.key(registry, id).key();
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

    /** @param registries by namespace */
    record Registries(Map<String, Registry> registries) implements OperationResponseBody {}

    record Registry(String prefix, ApiKeyTotals keys, Hygiene hygiene) {

        static Registry of(RegistrySummary summary) {
            return new Registry(
                    summary.prefix(),
                    summary.totals(),
                    new Hygiene(summary.neverExpiring(), summary.unused(), summary.expiringSoon(), summary.complete()));
        }
    }

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
