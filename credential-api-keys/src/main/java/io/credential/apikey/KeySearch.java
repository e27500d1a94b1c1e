package io.credential.apikey;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;
import io.credential.apikey.internal.search.NamePrefix;

/**
 * Selects the keys of a search. A key must meet all criteria. Immutable: every {@code with} method returns a new value.
 *
 * @param ownerId the owner, compared exactly; null for any
 * @param namePrefix beginning of the name, ignoring case, 3 to 128 characters; null for any. Needs {@code
 *     credential.api-keys.search.names}
 * @param states the states; empty for any
 * @param scope a scope of the key, compared exactly, even if it is a wildcard; null for any. Needs {@code
 *     credential.api-keys.search.scopes}
 * @param createdFrom earliest time of issue; null for any
 * @param createdBefore end of the time of issue, exclusive; null for any
 * @param lastUsedFrom earliest time of last use; null for any. Keys that were never used do not match
 * @param lastUsedBefore end of the time of last use, exclusive; null for any. Keys that were never used do not match
 * @param neverUsed whether only keys match that were never used
 * @param limit the maximum number of keys in a page, 1 to {@value ListOptions#MAX_LIMIT}
 * @param cursor where the previous page ended; null for the first page
 * @since 0.1.0
 */
public record KeySearch(
        @Nullable String ownerId,
        @Nullable String namePrefix,
        Set<ApiKeyState> states,
        @Nullable String scope,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore,
        @Nullable Instant lastUsedFrom,
        @Nullable Instant lastUsedBefore,
        boolean neverUsed,
        int limit,
        @Nullable String cursor) {

    private static final KeySearch ALL =
            new KeySearch(null, null, Set.of(), null, null, null, null, null, false, ListOptions.DEFAULT_LIMIT, null);

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} when the limit, the prefix or a time is out of range, {@code
     *     createdFrom} is not before {@code createdBefore}, {@code lastUsedFrom} is not before {@code lastUsedBefore},
     *     or {@code neverUsed} is combined with either of the latter; {@code api-key/missing-owner} when the owner is
     *     malformed; {@code api-key/bad-scopes} when the scope is malformed
     */
    public KeySearch {
        if (ownerId != null) {
            KeyRules.ownerId(ownerId);
        }
        if (namePrefix != null) {
            requirePrefix(namePrefix);
        }
        states = Set.copyOf(KeyRules.required(states, "states"));
        if (scope != null) {
            KeyRules.scopes(List.of(scope));
        }
        KeyRules.requireStorable(createdFrom, "createdFrom");
        KeyRules.requireStorable(createdBefore, "createdBefore");
        KeyRules.requireStorable(lastUsedFrom, "lastUsedFrom");
        KeyRules.requireStorable(lastUsedBefore, "lastUsedBefore");
        requireBefore(createdFrom, createdBefore, "created");
        requireBefore(lastUsedFrom, lastUsedBefore, "lastUsed");
        if (neverUsed && (lastUsedFrom != null || lastUsedBefore != null)) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "neverUsed cannot be combined with lastUsedFrom and lastUsedBefore");
        }
        ListOptions.requireLimit(limit);
    }

    private static void requireBefore(@Nullable Instant from, @Nullable Instant before, String time) {
        if (from != null && before != null && !from.isBefore(before)) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, time + "From must be before " + time + "Before, but is " + from);
        }
    }

    private static void requirePrefix(String prefix) {
        String normalized = KeyRules.isName(prefix) ? NamePrefix.normalized(prefix) : "";
        if (normalized.codePointCount(0, normalized.length()) < NamePrefix.MIN_LENGTH) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "namePrefix must have " + NamePrefix.MIN_LENGTH
                            + " to 128 characters, and be able to begin a name");
        }
    }

    /** Selects the first page of all keys, in any state. */
    public static KeySearch all() {
        return ALL;
    }

    /** @throws ApiKeyException {@code api-key/missing-owner} when the owner is malformed */
    public KeySearch withOwnerId(String ownerId) {
        return with(copy -> copy.ownerId = KeyRules.ownerId(ownerId));
    }

    /**
     * Selects keys by the beginning of their name. Names are compared in lower case and in the Unicode form NFKC.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null, too short or cannot begin a name
     */
    public KeySearch withNamePrefix(String namePrefix) {
        return with(copy -> copy.namePrefix = KeyRules.required(namePrefix, "namePrefix"));
    }

    /** Selects keys in one of these states; without any, in all states. */
    public KeySearch withStates(ApiKeyState... states) {
        Set<ApiKeyState> selected = EnumSet.noneOf(ApiKeyState.class);
        for (ApiKeyState state : KeyRules.required(states, "states")) {
            selected.add(KeyRules.required(state, "state"));
        }
        return with(copy -> copy.states = selected);
    }

    /** @throws ApiKeyException {@code api-key/bad-scopes} when the scope is malformed */
    public KeySearch withScope(String scope) {
        return with(copy -> copy.scope = KeyRules.required(scope, "scope"));
    }

    public KeySearch withCreatedFrom(Instant from) {
        return with(copy -> copy.createdFrom = KeyRules.required(from, "createdFrom"));
    }

    public KeySearch withCreatedBefore(Instant before) {
        return with(copy -> copy.createdBefore = KeyRules.required(before, "createdBefore"));
    }

    public KeySearch withLastUsedFrom(Instant from) {
        return with(copy -> copy.lastUsedFrom = KeyRules.required(from, "lastUsedFrom"));
    }

    public KeySearch withLastUsedBefore(Instant before) {
        return with(copy -> copy.lastUsedBefore = KeyRules.required(before, "lastUsedBefore"));
    }

    /** Selects only keys that were never used. */
    public KeySearch withNeverUsed() {
        return with(copy -> copy.neverUsed = true);
    }

    public KeySearch withLimit(int limit) {
        return with(copy -> copy.limit = limit);
    }

    /**
     * Selects the page after the one that returned this cursor. With other criteria, the search continues with the keys that
     * were issued before that position.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null, as on the last page
     */
    public KeySearch after(String cursor) {
        return with(copy -> copy.cursor = KeyRules.required(cursor, "cursor"));
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "KeySearch[states=" + states + ", limit=" + limit + "]";
    }

    private KeySearch with(Consumer<Builder> change) {
        Builder copy = new Builder(this);
        change.accept(copy);
        return copy.build();
    }

    private static final class Builder {

        private @Nullable String ownerId;
        private @Nullable String namePrefix;
        private Set<ApiKeyState> states;
        private @Nullable String scope;
        private @Nullable Instant createdFrom;
        private @Nullable Instant createdBefore;
        private @Nullable Instant lastUsedFrom;
        private @Nullable Instant lastUsedBefore;
        private boolean neverUsed;
        private int limit;
        private @Nullable String cursor;

        Builder(KeySearch search) {
            this.ownerId = search.ownerId;
            this.namePrefix = search.namePrefix;
            this.states = search.states;
            this.scope = search.scope;
            this.createdFrom = search.createdFrom;
            this.createdBefore = search.createdBefore;
            this.lastUsedFrom = search.lastUsedFrom;
            this.lastUsedBefore = search.lastUsedBefore;
            this.neverUsed = search.neverUsed;
            this.limit = search.limit;
            this.cursor = search.cursor;
        }

        KeySearch build() {
            return new KeySearch(
                    ownerId,
                    namePrefix,
                    states,
                    scope,
                    createdFrom,
                    createdBefore,
                    lastUsedFrom,
                    lastUsedBefore,
                    neverUsed,
                    limit,
                    cursor);
        }
    }
}
