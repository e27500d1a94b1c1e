package io.credential.spring.webhook.internal;

import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;

/** A session of one request: no cookie refers to it and nothing stores it, so its id and times have no meaning. */
final class RequestSession implements HttpSession {

    private final ServletContext servletContext;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private volatile int maxInactiveInterval;
    private volatile boolean valid = true;

    RequestSession(ServletContext servletContext) {
        this.servletContext = servletContext;
    }

    boolean isValid() {
        return valid;
    }

    @Override
    public long getCreationTime() {
        return 0;
    }

    @Override
    public String getId() {
        return "request";
    }

    @Override
    public long getLastAccessedTime() {
        return 0;
    }

    @Override
    public ServletContext getServletContext() {
        return servletContext;
    }

    @Override
    public void setMaxInactiveInterval(int interval) {
        maxInactiveInterval = interval;
    }

    @Override
    public int getMaxInactiveInterval() {
        return maxInactiveInterval;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(attributes.keySet());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (value == null) {
            removeAttribute(name);
        } else {
            attributes.put(name, value);
        }
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }

    @Override
    public void invalidate() {
        attributes.clear();
        valid = false;
    }

    @Override
    public boolean isNew() {
        return true;
    }
}
