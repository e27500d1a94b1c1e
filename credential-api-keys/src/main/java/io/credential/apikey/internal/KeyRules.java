package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.internal.net.AddressRange;
import io.credential.internal.net.IpLiteral;
import io.credential.ratelimit.RateLimit;
import io.credential.storage.internal.JsonText;

/** Validates ids, owners, names, scopes and metadata, and returns them in their canonical form. */
public final class KeyRules {

    static final int MAX_OWNER_LENGTH = 255;
    static final int MAX_NAME_LENGTH = 128;
    static final int MAX_SCOPES = 64;
    static final int MAX_SCOPE_LENGTH = 128;
    static final int MAX_NETWORKS = 32;
    static final int MAX_METADATA_BYTES = 4096;
    static final int MAX_METADATA_DEPTH = 32;

    /** What is safe to repeat in a message. */
    private static final Pattern NETWORK_CHARACTERS = Pattern.compile("[0-9A-Za-z:./%*_-]{1,64}");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,64}");

    private KeyRules() {}

    /**
     * Returns an argument.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null
     */
    public static <T> T required(@Nullable T argument, String name) {
        return required(argument, ApiKeyErrorCode.BAD_OPT, name);
    }

    private static <T> T required(@Nullable T argument, ApiKeyErrorCode code, String name) {
        if (argument == null) {
            throw new ApiKeyException(code, name + " must not be null");
        }
        return argument;
    }

    /** Whether this could be the id of a key; other texts need no query. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    public static String ownerId(@Nullable String ownerId) {
        if (ownerId == null || ownerId.isBlank()) {
            throw new ApiKeyException(ApiKeyErrorCode.MISSING_OWNER, "ownerId is required and must not be blank");
        }
        if (ownerId.length() > MAX_OWNER_LENGTH) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.MISSING_OWNER,
                    "ownerId must have at most " + MAX_OWNER_LENGTH + " characters, but has " + ownerId.length());
        }
        if (!isWellFormed(ownerId)) {
            throw new ApiKeyException(ApiKeyErrorCode.MISSING_OWNER, "ownerId must be well-formed Unicode");
        }
        return ownerId;
    }

    public static String name(String name) {
        if (!isName(name)) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "name must have 1 to " + MAX_NAME_LENGTH
                            + " characters of well-formed Unicode, not all of them blank, and no control"
                            + " characters");
        }
        return name;
    }

    public static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= MAX_NAME_LENGTH
                && text.chars().noneMatch(Character::isISOControl)
                && isWellFormed(text);
    }

    /** Truncates the name of an actor to the length of an owner id; null stays null. */
    static @Nullable String creator(@Nullable String actor) {
        if (actor == null || actor.length() <= MAX_OWNER_LENGTH) {
            return actor;
        }
        int end =
                Character.isHighSurrogate(actor.charAt(MAX_OWNER_LENGTH - 1)) ? MAX_OWNER_LENGTH - 1 : MAX_OWNER_LENGTH;
        return actor.substring(0, end);
    }

    public static List<String> scopes(@Nullable String @Nullable [] scopes) {
        return scopes(Arrays.asList(required(scopes, ApiKeyErrorCode.BAD_SCOPES, "scopes")));
    }

    public static List<String> scopes(@Nullable Collection<? extends @Nullable String> given) {
        Collection<? extends @Nullable String> scopes = required(given, ApiKeyErrorCode.BAD_SCOPES, "scopes");
        if (scopes.size() > MAX_SCOPES) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_SCOPES,
                    "A key can have at most " + MAX_SCOPES + " scopes, but " + scopes.size() + " were given");
        }
        Set<String> distinct = new LinkedHashSet<>();
        for (@Nullable String scope : scopes) {
            if (scope == null || scope.isEmpty() || scope.length() > MAX_SCOPE_LENGTH || !isVisible(scope)) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_SCOPES,
                        "A scope must have 1 to " + MAX_SCOPE_LENGTH + " visible characters and no blanks");
            }
            distinct.add(scope);
        }
        return List.copyOf(distinct);
    }

    /** Returns the scopes that keys may have, of any number. */
    public static Set<String> knownScopes(@Nullable Collection<? extends @Nullable String> given) {
        Set<String> known = new LinkedHashSet<>();
        for (@Nullable String scope : required(given, ApiKeyErrorCode.BAD_SCOPES, "knownScopes")) {
            known.addAll(scopes(Collections.singletonList(scope)));
        }
        return Collections.unmodifiableSet(known);
    }

    /** @throws ApiKeyException {@code api-key/bad-scopes} if there are known scopes, and one of these is not among them */
    static void requireKnown(Collection<String> scopes, ApiKeyRegistryOptions options) {
        Set<String> known = options.knownScopes();
        if (known.isEmpty()) {
            return;
        }
        for (String scope : scopes) {
            boolean wildcard = options.scopeWildcards() && ScopeWildcards.is(scope);
            if (!known.contains(scope)
                    && !(wildcard && known.stream().anyMatch(wanted -> ScopeWildcards.grants(scope, wanted)))) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_SCOPES,
                        "'" + scope + "' is not a known scope; correct it, or add it to"
                                + " credential.api-keys.scopes.known");
            }
        }
    }

    /**
     * Refuses an expiry that the registry does not permit.
     *
     * @param from when the life of the key begins
     * @throws ApiKeyException {@code api-key/bad-opt}
     */
    static void requirePermitted(@Nullable Instant expiresAt, Instant from, ApiKeyRegistryOptions options) {
        Duration maxLifetime = options.maxLifetime();
        String property = "credential.api-keys.registries." + options.namespace()
                + (maxLifetime == null ? ".require-expiry" : ".max-lifetime");
        if (expiresAt == null && (maxLifetime != null || options.requireExpiry())) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "expiresAt is missing; set it, because " + property + " does not permit keys that never expire");
        }
        if (expiresAt != null && maxLifetime != null && expiresAt.isAfter(from.plus(maxLifetime))) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "expiresAt must not be after " + from.plus(maxLifetime) + ", but is " + expiresAt + "; " + property
                            + " is " + maxLifetime + ". To use a key for longer, issue a new one");
        }
    }

    public static Map<String, Object> metadata(@Nullable Map<String, ?> given) {
        Map<String, ?> metadata = required(given, ApiKeyErrorCode.BAD_METADATA, "metadata");
        if (metadata.isEmpty()) {
            return Map.of();
        }
        try {
            String json = JsonText.writeWellFormed(metadata);
            int bytes = json.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_METADATA_BYTES) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_METADATA,
                        "metadata must have at most " + MAX_METADATA_BYTES + " bytes of JSON, but has " + bytes);
            }
            Map<String, Object> read =
                    JsonText.readObject(json); // fails for infinity, which is written, but is not JSON
            if (JsonText.depth(read) > MAX_METADATA_DEPTH) { // a page of keys could not be written
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_METADATA,
                        "metadata must have at most " + MAX_METADATA_DEPTH + " levels of objects and arrays");
            }
            return read;
        } catch (IllegalArgumentException e) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_METADATA, "metadata cannot be written as JSON", e);
        }
    }

    /**
     * Returns networks in their canonical form, without repetitions. Bits beyond the prefix are refused: the caller may
     * have meant one address.
     */
    public static List<String> networks(@Nullable Collection<? extends @Nullable String> given) {
        Collection<? extends @Nullable String> networks = required(given, "allowedNetworks");
        if (networks.size() > MAX_NETWORKS) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "A key can have at most " + MAX_NETWORKS + " allowed networks, but " + networks.size()
                            + " were given");
        }
        Set<String> distinct = new LinkedHashSet<>();
        for (@Nullable String network : networks) {
            distinct.add(network(required(network, "a network")));
        }
        return List.copyOf(distinct);
    }

    /** Refuses a time that cannot be stored. */
    public static void requireStorable(@Nullable Instant time, String name) {
        try {
            KeyContents.millis(time);
        } catch (ArithmeticException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, name + " is out of the range of Unix milliseconds: " + time, e);
        }
    }

    private static String network(String text) {
        AddressRange range = AddressRange.parse(text)
                .orElseThrow(() -> new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT,
                        "allowedNetworks: " + (NETWORK_CHARACTERS.matcher(text).matches() ? "'" + text + "'" : "a text")
                                + " is not an IP address or a range in CIDR notation; write it like 192.0.2.0/24 or"
                                + " 2001:db8::/32"));
        if (range.hadBitsBeyondPrefix()) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "allowedNetworks: '" + text + "' has bits beyond its prefix; write " + range
                            + ", or the address without a prefix");
        }
        return range.toString();
    }

    /**
     * Whether an address is in one of these networks. A text that is not a network contains nothing.
     *
     * @param address 4 or 16 bytes
     */
    public static boolean contain(List<String> networks, byte[] address) {
        byte[] unmapped = IpLiteral.address(address).getAddress();
        return networks.stream()
                .anyMatch(network -> AddressRange.parse(network)
                        .filter(range -> range.contains(unmapped))
                        .isPresent());
    }

    public static RateLimit rateLimit(int limit, @Nullable Duration window) {
        try {
            return new RateLimit(limit, required(window, "window"));
        } catch (IllegalArgumentException e) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "rateLimit: " + e.getMessage(), e);
        }
    }

    /** Half a surrogate pair has no UTF-8 form: it would be stored, and found, as a different text. */
    private static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static boolean isVisible(String text) {
        return text.codePoints().allMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        });
    }
}
