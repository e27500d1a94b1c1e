package io.credential.spring.webhook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the sender whose signature a request needs. Wider than the mappings of controllers, in case and by a slash at
 * the end, lest a way of writing a path lead past the filter. Thread-safe.
 */
final class InboundWebhooks {

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
        InboundWebhook found = find(path);
        String text = path.value();
        return found == null && text.length() > 1 && text.endsWith("/")
                ? find(PathContainer.parsePath(text.substring(0, text.length() - 1)))
                : found;
    }

    private @Nullable InboundWebhook find(PathContainer path) {
        for (Protected entry : entries) {
            if (entry.pattern.matches(path)) {
                return entry.webhook;
            }
        }
        return null;
    }

    private record Protected(PathPattern pattern, InboundWebhook webhook) {}
}
