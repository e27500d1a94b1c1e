package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.resource.DefaultServletHttpRequestHandler;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;

/**
 * Collects the paths that the application serves: controllers, other handlers, and other servlets. The paths of
 * functional routes are unknown.
 */
final class ServedPaths {

    private static final String MVC = "dispatcherServlet";
    private static final Set<String> CONTAINER_SERVLETS = Set.of("default", "jsp");

    private final List<ServedPath> paths = new ArrayList<>();
    private final Set<String> prefixes = new LinkedHashSet<>();
    private final String contextPath;

    private ServedPaths(@Nullable String contextPath) {
        this.contextPath = contextPath == null ? "" : contextPath;
    }

    static List<ServedPath> of(WebApplicationContext context) {
        ServletContext servlets = context.getServletContext();
        ServedPaths served = new ServedPaths(servlets == null ? null : servlets.getContextPath());
        if (servlets != null) {
            servlets.getServletRegistrations().forEach(served::add);
        }
        BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                .values()
                .forEach(served::add);
        return served.paths;
    }

    private void add(String name, ServletRegistration registration) {
        boolean dispatches = DispatcherServlet.class.getName().equals(registration.getClassName());
        for (String mapping : registration.getMappings()) {
            if (dispatches) {
                prefixes.add(mapping.endsWith("/*") ? mapping.substring(0, mapping.length() - 2) : "");
            }
            // The paths of the main dispatcher are read from its handler mappings; those of others are unknown.
            if (!(dispatches && (name.equals(MVC) || mapping.equals("/") || mapping.equals("/*")))
                    && !CONTAINER_SERVLETS.contains(name)) {
                addServlet(mapping);
            }
        }
    }

    private void addServlet(String mapping) {
        String pattern = mapping.equals("/") ? "/**" : mapping.endsWith("/*") ? mapping + "*" : mapping;
        if (pattern.startsWith("/")) {
            paths.add(new ServedPath(List.of(pattern, contextPath + pattern), Set.of(), null));
        } else {
            paths.add(new ServedPath(List.of("/**/" + pattern), Set.of(), null));
        }
    }

    private void add(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingInfoHandlerMapping controllers) {
            controllers
                    .getHandlerMethods()
                    .forEach((info, handler) -> add(
                            info.getPatternValues(),
                            info.getMethodsCondition().getMethods().stream()
                                    .map(Enum::name)
                                    .collect(Collectors.toUnmodifiableSet()),
                            handler));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            add(
                    urls.getHandlerMap().entrySet().stream()
                            .filter(entry -> !servesFiles(entry.getValue()))
                            .map(Map.Entry::getKey)
                            .toList(),
                    Set.of(),
                    null);
        }
    }

    private void add(Collection<String> patterns, Set<String> methods, @Nullable HandlerMethod handler) {
        for (String pattern : patterns) {
            String absolute = pattern.startsWith("/") ? pattern : "/" + pattern;
            Set<String> forms = new LinkedHashSet<>(Set.of(absolute));
            for (String prefix : prefixes) {
                forms.add(prefix + absolute);
                forms.add(contextPath + prefix + absolute);
            }
            paths.add(new ServedPath(List.copyOf(forms), methods, handler));
        }
    }

    /** Returns whether the handler serves files, for GET and under a pattern that matches every path. */
    private static boolean servesFiles(Object handler) {
        return handler instanceof ResourceHttpRequestHandler || handler instanceof DefaultServletHttpRequestHandler;
    }
}
