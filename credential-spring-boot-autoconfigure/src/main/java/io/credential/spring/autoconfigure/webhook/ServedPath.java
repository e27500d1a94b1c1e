package io.credential.spring.autoconfigure.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;

/**
 * A path pattern that the application serves.
 *
 * @param patterns the pattern as it appears in requests: without and with the prefixes of servlet and application
 * @param methods HTTP methods; empty for all
 * @param handler the controller method, or null if something else serves the path
 */
record ServedPath(
        List<String> patterns,
        Set<String> methods,
        @Nullable HandlerMethod handler) {

    /** Returns whether a request with one of the methods can match both this path and the pattern. */
    boolean overlaps(String pattern, Collection<String> requestMethods) {
        return (methods.isEmpty() || requestMethods.stream().anyMatch(methods::contains))
                && patterns.stream().anyMatch(own -> PatternOverlap.exists(own, pattern));
    }

    boolean isLiteral() {
        return patterns.stream().allMatch(PatternOverlap::isLiteral);
    }

    boolean is(String literalPattern) {
        return patterns.stream().anyMatch(literalPattern::equalsIgnoreCase);
    }
}
