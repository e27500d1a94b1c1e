package io.credential.spring.console.internal.web;

import java.util.ArrayList;
import java.util.List;

import org.springframework.http.HttpMethod;

/** Collects the pages and actions of the console. */
public final class ConsoleRoutes {

    private final boolean readOnly;
    private final List<Route> routes = new ArrayList<>();

    ConsoleRoutes(boolean readOnly) {
        this.readOnly = readOnly;
    }

    /** Serves a request. */
    @FunctionalInterface
    public interface Handler {

        /** Returns the response. Exceptions are answered with a page. */
        Reply handle(ConsoleRequest request);
    }

    record Route(HttpMethod method, String pattern, Access access, Handler handler) {}

    /**
     * Adds a page.
     *
     * @param pattern below the path of the console, for example {@code deliveries/{id}}
     */
    public void page(String pattern, Handler handler) {
        page(pattern, Access.VIEW, handler);
    }

    /** Adds a page that requires more than {@link Access#VIEW}. */
    public void page(String pattern, Access access, Handler handler) {
        routes.add(new Route(HttpMethod.GET, pattern, access, handler));
    }

    /** Adds the page with the form of an action, unless the console is read-only. */
    public void form(String pattern, Access access, Handler handler) {
        if (!readOnly) {
            page(pattern, access, handler);
        }
    }

    /**
     * Adds an action, unless the console is read-only.
     *
     * @param pattern below the path of the console, for example {@code deliveries/{id}/retry}
     * @param access what it requires in addition to {@link Access#VIEW}
     */
    public void action(String pattern, Access access, Handler handler) {
        if (!readOnly) {
            routes.add(new Route(HttpMethod.POST, pattern, access, handler));
        }
    }

    /**
     * Adds a query that is sent with POST, because its criteria must not be in URLs. It also exists if the console is read-only.
     *
     * @param pattern below the path of the console, for example {@code keys/search}
     */
    public void postedQuery(String pattern, Access access, Handler handler) {
        routes.add(new Route(HttpMethod.POST, pattern, access, handler));
    }

    List<Route> all() {
        return List.copyOf(routes);
    }
}
