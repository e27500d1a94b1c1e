package io.credential.webhook.delivery.internal.attempt;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.credential.webhook.delivery.internal.queue.HeaderText;
import io.credential.webhook.delivery.internal.queue.StoredResponse;
import io.credential.webhook.http.WebhookResponse;

/**
 * Decides what is stored of a response: a bounded part of it, in characters that every database accepts, without
 * secrets.
 */
final class ResponseRecorder {

    static final int MAX_HEADERS = 16;
    static final int MAX_VALUE = 256;
    static final int MAX_LOCATION = 1024;

    /** Shorter values, such as a version, stand in other text by chance. */
    private static final int MIN_SECRET = 6;

    private static final int MAX_NAME = 64;
    private static final int MAX_BODY = 2048;
    private static final String MASK = "******";
    private static final String LOCATION = "location";

    private static final Pattern SECRET_NAME = Pattern.compile(
            "authori[sz]|authenticat|cookie|token|secret|passw|session|credential|signature|assertion|jwt|api-?key|[cx]srf"
                    + "|(^|[-_])(auth|otp|pin|key)$",
            Pattern.CASE_INSENSITIVE);

    /** Longer than ids of requests and traces, but no longer than secrets of API keys. */
    private static final String LONG_HEX = "(?<![0-9a-fA-F])[0-9a-fA-F]{48,}+";

    private static final String JWT = "(?<![\\w-])eyJ[\\w-]{8,}+\\.[\\w-]++\\.[\\w-]*+";
    private static final Pattern SECRET_VALUE = Pattern.compile(LONG_HEX + "|" + JWT);

    /** The value of a parameter of a URL within other text. Punctuation at its end belongs to that text. */
    private static final Pattern PARAMETER = Pattern.compile("(?<=[?&#])([^=&?#\\s]++=)[^&#\\s\"<>]*[^&#\\s\"'<>,;]");

    /** A parameter of the path, the query or the fragment of a URL: separator, name and value. */
    private static final Pattern URL_PART = Pattern.compile("([?&#;])([^=&?#;]*+=*+)([^&?#;]*+)");

    private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/?#]*@");

    private ResponseRecorder() {}

    /** Returns what is stored of an accepted webhook: no headers, since nearly all responses are of this kind. */
    static StoredResponse accepted(WebhookResponse response) {
        return new StoredResponse(response.status(), null, null, body(response));
    }

    /** @param secrets values that the request contained, which a receiver may echo */
    static StoredResponse failed(WebhookResponse response, Collection<String> secrets) {
        boolean isRedirect = response.status() >= 300 && response.status() < 400;
        Map<String, String> headers = new LinkedHashMap<>();
        String location = null;
        for (Map.Entry<String, List<String>> header : response.headers().entrySet()) {
            String value = String.join(", ", header.getValue());
            if (isRedirect && header.getKey().equalsIgnoreCase(LOCATION)) {
                location = printable(maskedUrl(masked(value, secrets)), MAX_LOCATION);
            } else if (headers.size() < MAX_HEADERS) {
                String name = printable(header.getKey(), MAX_NAME);
                headers.put(
                        name,
                        SECRET_NAME.matcher(name).find()
                                ? MASK
                                : printable(maskedParameters(masked(value, secrets)), MAX_VALUE));
            }
        }
        return new StoredResponse(
                response.status(), headers.isEmpty() ? null : HeaderText.toText(headers), location, body(response));
    }

    private static String body(WebhookResponse response) {
        return storable(response.body(), MAX_BODY);
    }

    /** Before the text is cut, which could leave a part of a secret. */
    private static String masked(String text, Collection<String> secrets) {
        String withoutSecrets = text;
        for (String secret : secrets) {
            if (secret.length() >= MIN_SECRET) {
                withoutSecrets = withoutSecrets.replace(secret, MASK);
                String credentials = secret.substring(secret.lastIndexOf(' ') + 1); // after the name of a scheme
                withoutSecrets =
                        credentials.length() >= MIN_SECRET ? withoutSecrets.replace(credentials, MASK) : withoutSecrets;
            }
        }
        String withoutUser = USER_INFO.matcher(withoutSecrets).replaceAll(MASK + "@");
        return SECRET_VALUE.matcher(withoutUser).replaceAll(MASK);
    }

    private static String maskedParameters(String text) {
        return PARAMETER.matcher(text).replaceAll("$1" + MASK);
    }

    /** Keeps the names of parameters. A part without a value may be a secret itself. */
    private static String maskedUrl(String url) {
        return URL_PART.matcher(url).replaceAll(part -> {
            boolean isNamed = !part.group(3).isEmpty();
            boolean isEmpty = !isNamed && part.group(2).isEmpty();
            return Matcher.quoteReplacement(part.group(1) + (isNamed ? part.group(2) : "") + (isEmpty ? "" : MASK));
        });
    }

    private static String printable(String text, int max) {
        StringBuilder printable = new StringBuilder();
        text.codePoints().limit(max).forEach(c -> printable.appendCodePoint(isPrintable(c) ? c : '\ufffd'));
        return printable.toString();
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** The text may come from a payload or from the application's transport. PostgreSQL rejects NUL characters. */
    static String storable(String text, int max) {
        return text.substring(0, Math.min(text.length(), max)).replace('\0', '\ufffd');
    }
}
