package io.credential.spring.autoconfigure.openapi;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.MappingMatch;

/** A request to another path of the servlet that serves the current request. Does not change the current request. */
final class DocumentedRequest extends HttpServletRequestWrapper {

    private final Map<String, Object> attributes = new HashMap<>();
    private final String prefix;
    private final String path;
    private final String method;

    DocumentedRequest(HttpServletRequest current, String path, String method) {
        super(current);
        this.prefix =
                current.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH ? current.getServletPath() : "";
        this.path = path;
        this.method = method;
    }

    String pathInContext() {
        return prefix + path;
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public String getRequestURI() {
        return getContextPath() + pathInContext();
    }

    @Override
    public String getServletPath() {
        return prefix.isEmpty() ? path : prefix;
    }

    @Override
    public @Nullable String getPathInfo() {
        return prefix.isEmpty() ? null : path;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        attributes.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }
}
