package io.credential.spring.console.internal.web;

import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

import io.credential.spring.autoconfigure.properties.ConsoleProperties;

/**
 * Maps requests below the path of the console. It stands apart from the mappings of the application: the application's
 * interceptors, message converters and exception handlers do not apply.
 */
public final class ConsoleHandlerMapping extends RouterFunctionMapping {

    /** Before the application's mappings, one of which may match every path. */
    private static final int ORDER = -10;

    private final List<Target> targets;

    private ConsoleHandlerMapping(RouterFunction<?> function, List<Target> targets) {
        super(function);
        this.targets = List.copyOf(targets);
        setOrder(ORDER);
    }

    /**
     * What a request can be for.
     *
     * @param pattern of the path below that of the servlet, for example {@code /credential/deliveries/{id}}
     */
    public record Target(HttpMethod method, String pattern) {}

    /** Maps the pages of these sections. */
    public static ConsoleHandlerMapping of(
            ConsoleProperties properties, Operators operators, List<ConsoleSection> sections) {
        ConsoleRoutes routes = new ConsoleRoutes(properties.readOnly());
        sections.forEach(section -> section.addTo(routes));
        List<NavigationEntry> navigation = sections.stream()
                .flatMap(section -> section.navigation().stream())
                .sorted(Comparator.comparingInt(NavigationEntry::order))
                .toList();
        Assets assets = Assets.load();
        SentForms forms = new SentForms(new SecureRandom());
        ConsoleHandler handler = new ConsoleHandler(
                properties.path(),
                operators,
                sections,
                new PageWriter(navigation, properties.readOnly(), assets, forms),
                assets,
                forms);
        List<Target> targets = routes.all().stream()
                .map(route -> new Target(route.method(), properties.path() + "/" + route.pattern()))
                .toList();
        return new ConsoleHandlerMapping(function(properties.path(), routes, handler), targets);
    }

    /** Returns the routes of all sections. */
    public List<Target> targets() {
        return targets;
    }

    private static RouterFunction<ServerResponse> function(String path, ConsoleRoutes routes, ConsoleHandler handler) {
        RouterFunctions.Builder builder =
                RouterFunctions.route().GET(path, handler::addSlash).GET(path + "/assets/{name}", handler::asset);
        for (ConsoleRoutes.Route route : routes.all()) {
            builder.route(
                    RequestPredicates.method(route.method()).and(RequestPredicates.path(path + "/" + route.pattern())),
                    request -> handler.handle(route, request));
        }
        return builder.GET(path + "/**", handler::notFound).build();
    }
}
