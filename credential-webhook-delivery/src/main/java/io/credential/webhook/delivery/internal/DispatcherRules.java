package io.credential.webhook.delivery.internal;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;

/**
 * Checks names, URLs, keys and secrets. A method whose name starts with {@code require} returns its value, or throws {@link
 * WebhookDispatcherException} with {@code webhook-dispatcher/bad-opts}, including for null.
 */
public final class DispatcherRules {

    /** Stands for all event types; after a dot, for those that begin with what precedes it. */
    public static final String WILDCARD = "*";

    /** How many dots a subscription with a wildcard may contain. Each event looks up one for each of its first dots. */
    public static final int MAX_WILDCARD_DOTS = 8;

    static final int MAX_EVENT_TYPES = 1000;

    private static final int MAX_URL = 2048;
    private static final int MAX_SECRET_BYTES = 4096;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,255}");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private DispatcherRules() {}

    public static <T> T require(String what, @Nullable T value) {
        if (value == null) {
            throw bad(what + " must not be null");
        }
        return value;
    }

    /** Throws with the message if the condition does not hold. */
    public static void requireThat(boolean condition, String message) {
        if (!condition) {
            throw bad(message);
        }
    }

    /** Requires the length of a page to be 1 to {@link DeliveryQuery#MAX_LIMIT}. */
    public static void requireLimit(int limit) {
        requireThat(
                limit >= 1 && limit <= DeliveryQuery.MAX_LIMIT,
                "limit must be 1 to " + DeliveryQuery.MAX_LIMIT + ", not " + limit);
    }

    public static String requireEndpointId(@Nullable String id) {
        return requireSegment("endpointId", id);
    }

    public static String requireAudience(@Nullable String audience) {
        if (WILDCARD.equals(audience)) {
            throw bad("audience must not be *; use DispatchOptions.toEveryAudience() to reach every audience");
        }
        return requireName("audience", audience);
    }

    public static String requireEventType(@Nullable String eventType) {
        return requireSegment("eventType", eventType);
    }

    public static String requireIdempotencyKey(@Nullable String key) {
        if (key == null || !isIdempotencyKey(key)) {
            throw bad("idempotencyKey must be 1 to 255 visible ASCII characters");
        }
        return key;
    }

    public static String requireUrl(@Nullable String url) {
        if (url == null || url.isEmpty() || url.length() > MAX_URL) {
            throw bad("url must have 1 to " + MAX_URL + " characters");
        }
        return url;
    }

    public static List<String> requireEventTypes(@Nullable Collection<String> eventTypes) {
        if (eventTypes == null || eventTypes.isEmpty() || eventTypes.size() > MAX_EVENT_TYPES) {
            throw bad("eventTypes must be 1 to " + MAX_EVENT_TYPES + " event types, or " + WILDCARD + " for all");
        }
        Set<String> distinct = new LinkedHashSet<>();
        for (String eventType : eventTypes) {
            distinct.add(requireSubscription(eventType));
        }
        return List.copyOf(distinct);
    }

    private static String requireSubscription(@Nullable String eventType) {
        if (eventType == null || eventType.indexOf(WILDCARD) < 0) {
            return requireSegment("each of eventTypes", eventType);
        }
        String beginning = eventType.substring(0, eventType.indexOf(WILDCARD));
        boolean isAll = eventType.equals(WILDCARD);
        requireThat(
                isAll
                        || (eventType.equals(beginning + WILDCARD)
                                && beginning.endsWith(".")
                                && beginning.length() > 1
                                && isName(beginning)),
                "each of eventTypes may contain " + WILDCARD + " only at its end, alone or after a name and a dot");
        requireThat(
                beginning.chars().filter(c -> c == '.').count() <= MAX_WILDCARD_DOTS,
                "each of eventTypes that ends with " + WILDCARD + " must have at most " + MAX_WILDCARD_DOTS + " dots");
        requireThat(
                !beginning.startsWith(OperationalEvent.PREFIX),
                "each of eventTypes that begins with " + OperationalEvent.PREFIX
                        + " must be the type of an operational event");
        return eventType;
    }

    public static SecretBytes requireSecret(@Nullable String secret) {
        if (secret == null || secret.isEmpty() || secret.length() > MAX_SECRET_BYTES) {
            throw badSecret();
        }
        SecretBytes bytes = SecretBytes.copyAndWipe(secret.getBytes(StandardCharsets.UTF_8));
        if (bytes.length() > MAX_SECRET_BYTES) {
            bytes.close();
            throw badSecret();
        }
        return bytes;
    }

    /** Returns the secret if the scheme can sign with it. */
    public static SecretBytes requireSecret(SignatureScheme scheme, SecretBytes secret) {
        if (scheme == SignatureScheme.STANDARD_WEBHOOKS) {
            try {
                var unused = StandardWebhooksSigner.publicKey(secret);
            } catch (WebhookException e) {
                throw bad(String.valueOf(e.getMessage()));
            }
        }
        return secret;
    }

    public static String requireTable(String option, @Nullable String name) {
        if (name == null || !TABLE.matcher(name).matches()) {
            throw bad(option + " must be a letter or _ and up to 62 of A-Z, a-z, 0-9 and _");
        }
        return name;
    }

    /** Returns whether this is a valid endpoint id, event type or audience. */
    public static boolean isName(@Nullable String text) {
        return text != null && NAME.matcher(text).matches();
    }

    /** Returns whether this is a valid id of an event or a delivery. */
    public static boolean isId(@Nullable String text) {
        return text != null && ID.matcher(text).matches();
    }

    /** Returns whether this is a valid idempotency key. */
    public static boolean isIdempotencyKey(@Nullable String text) {
        return text != null && VISIBLE.matcher(text).matches();
    }

    private static String requireName(String what, @Nullable String name) {
        if (name == null || !isName(name)) {
            throw bad(what + " must be 1 to 255 of A-Z, a-z, 0-9 and . _ : -");
        }
        return name;
    }

    /** Requires a name that paths of URLs can contain. */
    private static String requireSegment(String what, @Nullable String name) {
        if (".".equals(name) || "..".equals(name)) {
            throw bad(what + " must not be . or .., which browsers and proxies remove from URLs");
        }
        return requireName(what, name);
    }

    private static WebhookDispatcherException badSecret() {
        return bad("secret must have 1 to " + MAX_SECRET_BYTES + " bytes");
    }

    public static WebhookDispatcherException bad(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.BAD_OPTS, message);
    }
}
