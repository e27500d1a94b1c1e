package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import org.springframework.core.io.Resource;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;

/** Collects the path patterns of functional routes. A route without a path serves every path. */
final class FunctionalPaths implements RouterFunctions.Visitor {

    private final List<String> patterns = new ArrayList<>();
    private final Deque<List<String>> prefixes = new ArrayDeque<>(List.of(List.of("")));

    static List<String> of(RouterFunction<?> routes) {
        FunctionalPaths paths = new FunctionalPaths();
        routes.accept(paths);
        return paths.patterns;
    }

    @Override
    public void startNested(RequestPredicate predicate) {
        List<String> paths = Paths.of(predicate);
        prefixes.push(paths.isEmpty() ? prefixes.element() : joined(paths));
    }

    @Override
    public void endNested(RequestPredicate predicate) {
        prefixes.pop();
    }

    @Override
    public void route(RequestPredicate predicate, HandlerFunction<?> handlerFunction) {
        List<String> paths = Paths.of(predicate);
        patterns.addAll(joined(paths.isEmpty() ? List.of("/**") : paths));
    }

    private List<String> joined(List<String> paths) {
        return prefixes.element().stream()
                .flatMap(prefix -> paths.stream().map(path -> prefix + path))
                .toList();
    }

    /** Ignores files, which webhooks do not request. */
    @Override
    public void resources(Function<ServerRequest, Optional<Resource>> lookupFunction) {}

    @Override
    public void attributes(Map<String, Object> attributes) {}

    @Override
    public void unknown(RouterFunction<?> routerFunction) {
        patterns.addAll(joined(List.of("/**")));
    }

    /** Collects the paths of a predicate. */
    private static final class Paths implements RequestPredicates.Visitor {

        private final List<String> paths = new ArrayList<>();

        static List<String> of(RequestPredicate predicate) {
            Paths visitor = new Paths();
            predicate.accept(visitor);
            return visitor.paths;
        }

        @Override
        public void path(String pattern) {
            paths.add(pattern);
        }

        @Override
        public void method(Set<HttpMethod> methods) {}

        @Override
        @SuppressWarnings("removal") // the interface still has it
        public void pathExtension(String extension) {}

        @Override
        public void header(String name, String value) {}

        @Override
        public void param(String name, String value) {}

        @Override
        public void version(String version) {}

        @Override
        public void startAnd() {}

        @Override
        public void and() {}

        @Override
        public void endAnd() {}

        @Override
        public void startOr() {}

        @Override
        public void or() {}

        @Override
        public void endOr() {}

        @Override
        public void startNegate() {}

        @Override
        public void endNegate() {}

        @Override
        public void unknown(RequestPredicate predicate) {}
    }
}
