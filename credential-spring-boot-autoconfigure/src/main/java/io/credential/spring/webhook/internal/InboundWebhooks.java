package io.credential.spring.webhook.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;

/**
 * Finds the sender whose signature a request needs. Matches more than the mappings of controllers, so that no spelling
 * of a path bypasses the filter: patterns match in any case, with repeated slashes and one at the end, with dot
 * segments, and with or without the prefixes of servlet and application. Thread-safe.
 */
final class InboundWebhooks {

    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    /** Decodes nothing twice. */
    private static final PathContainer.Options WITHOUT_DECODING = PathContainer.Options.create('/', false);

    private final List<Protected> entries = new ArrayList<>();

    /** @throws IllegalArgumentException if a path is not a valid pattern, or has slashes that are ignored in requests */
    InboundWebhooks(List<InboundWebhook> webhooks) {
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        for (InboundWebhook webhook : webhooks) {
            for (String path : webhook.paths()) {
                entries.add(new Protected(parser.parse(requirePlain(path, webhook)), webhook));
            }
        }
    }

    /** Without this check, the pattern would match no request, or only some spellings of its path. */
    private static String requirePlain(String path, InboundWebhook webhook) {
        if (!plain(path).equals(path)) {
            throw new IllegalArgumentException("The path '" + path + "' of '" + webhook.name()
                    + "' must not contain repeated slashes or end with a slash; write '" + plain(path) + "'");
        }
        return path;
    }

    /**
     * Returns the sender, or null if the request needs no signature.
     *
     * @throws AmbiguousPathException if the path matches patterns of two senders: either could sign for the other
     * @throws MalformedPathException if the path cannot be decoded
     */
    @Nullable InboundWebhook find(HttpServletRequest request) throws AmbiguousPathException, MalformedPathException {
        if (entries.isEmpty()) {
            return null;
        }
        Collection<PathContainer> paths = paths(request);
        InboundWebhook found = null;
        for (Protected entry : entries) {
            if (!entry.webhook.equals(found) && paths.stream().anyMatch(entry.pattern::matches)) {
                if (found != null) {
                    throw new AmbiguousPathException();
                }
                found = entry.webhook;
            }
        }
        return found;
    }

    /** Anyone can cause it: it has no stack trace, and no message that a log would need to escape. */
    static final class AmbiguousPathException extends Exception {

        private static final long serialVersionUID = 1;

        AmbiguousPathException() {
            super("The path matches patterns of two senders", null, false, false);
        }
    }

    /** Anyone can cause it: it has no stack trace, and no message that a log would need to escape. */
    static final class MalformedPathException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedPathException() {
            super("The path cannot be decoded", null, false, false);
        }
    }

    /**
     * Returns every path that a pattern may match: as it was sent, and as the container resolved it to choose the
     * servlet. Equal paths are parsed and matched once.
     *
     * @throws MalformedPathException if the path cannot be decoded
     */
    static Collection<PathContainer> paths(HttpServletRequest request) throws MalformedPathException {
        Map<String, PathContainer> plain = new LinkedHashMap<>();
        List<PathContainer> encoded = new ArrayList<>();
        for (PathContainer path : sent(request)) {
            String decoded = plain(path);
            if (decoded.equals(path.value())) {
                plain.putIfAbsent(decoded, path);
            } else {
                encoded.add(path);
                plain.computeIfAbsent(decoded, InboundWebhooks::parsed);
            }
        }
        resolved(request)
                .map(InboundWebhooks::plain)
                .forEach(path -> plain.computeIfAbsent(path, InboundWebhooks::parsed));
        encoded.addAll(plain.values());
        return encoded;
    }

    private static Set<PathContainer> sent(HttpServletRequest request) throws MalformedPathException {
        Object included = request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI);
        RequestPath withinContext =
                parsed(included instanceof String uri ? uri : request.getRequestURI(), request.getContextPath());
        Set<PathContainer> sent = new LinkedHashSet<>();
        sent.add(withinContext.pathWithinApplication());
        if (!request.getContextPath().isEmpty()) {
            sent.add(withinContext);
        }
        if (included != null || request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH) {
            try {
                sent.add(ServletRequestPathUtils.parse(request).pathWithinApplication());
            } catch (IllegalArgumentException e) {
                // The servlet path is spelled differently, for example with dots. Spring MVC cannot map it either.
            }
        }
        return sent;
    }

    private static Stream<String> resolved(HttpServletRequest request) {
        String withinServlet = Objects.requireNonNullElse(request.getPathInfo(), "");
        String withinContext = request.getServletPath() + withinServlet;
        String context = request.getServletContext().getContextPath();
        return Stream.of(withinServlet, withinContext, context + withinContext)
                .filter(path -> !path.isEmpty())
                .distinct();
    }

    /** Returns the path as Spring MVC reads it for Ant patterns: decoded, without parameters and empty segments. */
    private static String plain(PathContainer path) {
        StringBuilder decoded = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            decoded.append(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
        }
        return plain(decoded.toString());
    }

    private static String plain(String decoded) {
        String text = decoded.contains("//") ? SLASHES.matcher(decoded).replaceAll("/") : decoded;
        return text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /** The server does not decode path parameters, and a proxy may send a malformed prefix. */
    private static RequestPath parsed(String uri, String contextPath) throws MalformedPathException {
        try {
            return RequestPath.parse(uri, contextPath);
        } catch (IllegalArgumentException e) {
            throw new MalformedPathException();
        }
    }

    private static PathContainer parsed(String plain) {
        return PathContainer.parsePath(plain, WITHOUT_DECODING);
    }

    private record Protected(PathPattern pattern, InboundWebhook webhook) {}
}
