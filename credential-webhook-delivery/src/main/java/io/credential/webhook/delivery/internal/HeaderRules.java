package io.credential.webhook.delivery.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.internal.TransportHeaders;

/**
 * Checks headers that can be chosen. A method whose name starts with {@code require} returns what it accepts, or throws
 * {@link WebhookDispatcherException} with {@code webhook-dispatcher/bad-opts}, including for null.
 */
public final class HeaderRules {

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern SIMPLE = Pattern.compile("[A-Za-z0-9-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");
    private static final int MAX_USER_AGENT = 256;

    private static final int MAX_HEADERS = 20;
    private static final int MAX_HEADER_BYTES = 4096;

    /** Names that the dispatcher or tracing sets. */
    private static final Set<String> RESERVED = Set.of("user-agent", "traceparent", "tracestate", "baggage");

    /** Prefixes of headers that describe the body or are for proxies. */
    private static final Set<String> RESERVED_PREFIXES = Set.of("content-", "proxy-");

    private static final String DISPATCHER_PREFIX = "x-webhook-";
    private static final String STANDARD_PREFIX = "webhook-";

    private static final Set<String> STANDARD_WEBHOOKS = Set.of("webhook-id", "webhook-timestamp", "webhook-signature");

    private HeaderRules() {}

    /** Requires the name of a header that an endpoint is registered with. */
    public static String requireName(@Nullable String name) {
        String given = DispatcherRules.require("the name of a header", name);
        DispatcherRules.requireThat(
                isFreeToken(given) && !startsWith(given, DISPATCHER_PREFIX) && !startsWith(given, STANDARD_PREFIX),
                "the name of a header must be 1 to 128 characters of an HTTP token, and must not be that of a header"
                        + " which the dispatcher or the transport sets");
        return given;
    }

    /** Requires the name of the header that carries the signature of {@link SignatureScheme#CREDENTIAL}. */
    public static String requireSignatureHeader(@Nullable String name) {
        String given = DispatcherRules.require("signatureHeader", name);
        DispatcherRules.requireThat(
                SIMPLE.matcher(given).matches() && isFreeToken(given) && !startsWith(given, DISPATCHER_PREFIX),
                "signatureHeader must be 1 to 128 letters, digits and hyphens, and must not be the name of another"
                        + " header of a webhook");
        return given;
    }

    /** Requires the name of the header that carries the signatures of one endpoint. */
    public static String requireSignatureHeaderOfEndpoint(String name) {
        DispatcherRules.requireThat(
                isFreeToken(name),
                "signatureHeader must be 1 to 128 characters of an HTTP token, and must not be the name of another"
                        + " header of a webhook");
        return name;
    }

    /**
     * Requires the name of a header that describes a delivery, or an empty text.
     *
     * @param option names it in the message
     * @param others the names that are taken
     */
    public static String requireDeliveryHeader(String option, @Nullable String name, Collection<String> others) {
        String given = DispatcherRules.require(option, name);
        DispatcherRules.requireThat(
                given.isEmpty() || (isFreeToken(given) && !carriesSignature(given) && !contains(others, given)),
                option
                        + " must be 1 to 128 characters of an HTTP token, and must not be the name of another header of a"
                        + " webhook; or empty, to leave the header out");
        return given;
    }

    /** Requires no more headers of an endpoint than are allowed, in number and length. */
    public static void requireLimits(Map<String, SecretBytes> headers) {
        int bytes = headers.entrySet().stream()
                .mapToInt(header -> header.getKey().length() + header.getValue().length())
                .sum();
        if (headers.size() > MAX_HEADERS || bytes > MAX_HEADER_BYTES) {
            throw tooManyHeaders();
        }
    }

    /** Requires the value of a header that an endpoint is registered with. */
    public static String requireHeaderValue(String name, @Nullable String value) {
        String given = DispatcherRules.require("the value of a header", value);
        if (given.length() > MAX_HEADER_BYTES) {
            throw tooManyHeaders();
        }
        DispatcherRules.requireThat(
                isValue(given),
                "the value of the header " + name
                        + " must be visible ASCII characters and spaces, without leading and trailing spaces");
        return given;
    }

    private static WebhookDispatcherException tooManyHeaders() {
        return DispatcherRules.bad("headers must be at most " + MAX_HEADERS + ", with at most " + MAX_HEADER_BYTES
                + " bytes of names and values in total");
    }

    /** Requires the value of the header {@code User-Agent}, or an empty text for the default. */
    public static String requireUserAgent(String option, @Nullable String value) {
        String given = DispatcherRules.require(option, value);
        DispatcherRules.requireThat(
                given.isEmpty() || (given.length() <= MAX_USER_AGENT && isValue(given)),
                option + " must be up to " + MAX_USER_AGENT
                        + " visible ASCII characters and spaces, without leading and trailing spaces");
        return given;
    }

    /** Returns whether this is a valid value of a header that can be chosen, of any length. */
    public static boolean isValue(String text) {
        return VALUE.matcher(text).matches();
    }

    /** Returns whether the names contain this one, in any case. */
    public static boolean contains(Collection<String> names, String name) {
        return names.stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean isFreeToken(String name) {
        return TOKEN.matcher(name).matches()
                && !TransportHeaders.contains(name)
                && !contains(RESERVED, name)
                && RESERVED_PREFIXES.stream().noneMatch(prefix -> startsWith(name, prefix));
    }

    private static boolean carriesSignature(String name) {
        return contains(STANDARD_WEBHOOKS, name)
                || Arrays.stream(SignatureScheme.values())
                        .anyMatch(scheme -> name.equalsIgnoreCase(scheme.signatureHeader()));
    }

    private static boolean startsWith(String name, String prefix) {
        return name.toLowerCase(Locale.ROOT).startsWith(prefix);
    }
}
