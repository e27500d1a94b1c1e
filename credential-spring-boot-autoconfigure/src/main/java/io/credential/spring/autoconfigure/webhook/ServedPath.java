package io.credential.spring.autoconfigure.webhook;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;

/**
 * A path pattern that the application serves.
 *
 * @param patterns the pattern in every form that a request may have it in: without and with the prefixes of servlet and
 *     application
 * @param methods HTTP methods; empty when it is served for all
 * @param handler the method of a controller; null when something else serves it
 */
record ServedPath(
        List<String> patterns,
        Set<String> methods,
        @Nullable HandlerMethod handler) {

    /** Whether a request may be for this path and match the other pattern as well. */
    boolean meets(String pattern, Collection<String> requestMethods) {
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
