package io.credential.spring.webhook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the sender whose signature a request needs. Wider than the mappings of controllers, in case, by slashes that
 * repeat and by one at the end, lest a way of writing a path lead past the filter. Thread-safe.
 */
final class InboundWebhooks {

    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    /** Decodes nothing a second time. */
    private static final PathContainer.Options AS_IT_IS = PathContainer.Options.create('/', false);

    private final List<Protected> entries = new ArrayList<>();

    /**
     * @throws IllegalArgumentException when a path is no pattern, or two senders have the same
     */
    InboundWebhooks(List<InboundWebhook> webhooks) {
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        for (InboundWebhook webhook : webhooks) {
            webhook.paths().forEach(path -> add(parser.parse(path), webhook));
        }
        entries.sort(Comparator.comparing(Protected::pattern));
    }

    private void add(PathPattern pattern, InboundWebhook webhook) {
        for (Protected other : entries) {
            if (other.pattern.getPatternString().equalsIgnoreCase(pattern.getPatternString())) {
                throw new IllegalArgumentException("The path '" + pattern.getPatternString()
                        + "' is configured twice, for '" + other.webhook.name() + "' and '" + webhook.name() + "'");
            }
        }
        entries.add(new Protected(pattern, webhook));
    }

    /** Null when the request needs no signature; with several patterns that match, the most specific one decides. */
    @Nullable InboundWebhook find(HttpServletRequest request) {
        if (entries.isEmpty()) {
            return null;
        }
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        PathContainer plain = plain(path);
        for (Protected entry : entries) {
            if (entry.pattern.matches(path) || entry.pattern.matches(plain)) {
                return entry.webhook;
            }
        }
        return null;
    }

    /** As MVC reads a path for patterns of Ant: decoded, without parameters and empty segments. */
    private static PathContainer plain(PathContainer path) {
        StringBuilder decoded = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            decoded.append(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
        }
        String text = SLASHES.matcher(decoded).replaceAll("/");
        return PathContainer.parsePath(
                text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text, AS_IT_IS);
    }

    private record Protected(PathPattern pattern, InboundWebhook webhook) {}
}
