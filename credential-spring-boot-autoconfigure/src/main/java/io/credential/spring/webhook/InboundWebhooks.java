package io.credential.spring.webhook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the sender whose signature a request needs. Wider than the mappings of controllers, so that no way of writing a
 * path leads past the filter: patterns match in any case, with repeated slashes and one at the end, with dot segments,
 * and with or without the prefixes of servlet and application. Thread-safe.
 */
final class InboundWebhooks {

    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    /** Decodes nothing a second time. */
    private static final PathContainer.Options AS_IT_IS = PathContainer.Options.create('/', false);

    private final List<Protected> entries = new ArrayList<>();

    /**
     * @throws IllegalArgumentException if a path is not a valid pattern, or two senders have the same
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
        List<PathContainer> paths = paths(request);
        for (Protected entry : entries) {
            if (paths.stream().anyMatch(entry.pattern::matches)) {
                return entry.webhook;
            }
        }
        return null;
    }

    /** Every path that a pattern may mean: as it was sent, and as the container resolved it to choose the servlet. */
    private static List<PathContainer> paths(HttpServletRequest request) {
        List<PathContainer> paths = new ArrayList<>();
        addSent(paths, request);
        addResolved(paths, request);
        return paths;
    }

    private static void addSent(List<PathContainer> paths, HttpServletRequest request) {
        Stream.Builder<PathContainer> sent = Stream.builder();
        try {
            sent.add(ServletRequestPathUtils.parse(request).pathWithinApplication());
        } catch (IllegalArgumentException e) {
            // A servlet's prefix that is spelled in another way, with dots for example: MVC cannot map it either.
        }
        RequestPath withinContext = RequestPath.parse(request.getRequestURI(), request.getContextPath());
        sent.add(withinContext.pathWithinApplication()).add(withinContext);
        sent.build().distinct().flatMap(path -> Stream.of(path, plain(path))).forEach(paths::add);
    }

    private static void addResolved(List<PathContainer> paths, HttpServletRequest request) {
        String withinServlet = Objects.requireNonNullElse(request.getPathInfo(), "");
        String withinContext = request.getServletPath() + withinServlet;
        String context = request.getServletContext().getContextPath();
        Stream.of(withinServlet, withinContext, context + withinContext)
                .filter(path -> !path.isEmpty())
                .distinct()
                .map(InboundWebhooks::plain)
                .forEach(paths::add);
    }

    /** As MVC reads a path for patterns of Ant: decoded, without parameters and empty segments. */
    private static PathContainer plain(PathContainer path) {
        StringBuilder decoded = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            decoded.append(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
        }
        return plain(decoded.toString());
    }

    private static PathContainer plain(String decoded) {
        String text = SLASHES.matcher(decoded).replaceAll("/");
        return PathContainer.parsePath(
                text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text, AS_IT_IS);
    }

    private record Protected(PathPattern pattern, InboundWebhook webhook) {}
}
