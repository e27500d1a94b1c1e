package io.credential.spring.autoconfigure.security;

import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.security.web.servlet.ApplicationContextRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.context.WebApplicationContext;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Matches requests to Actuator endpoints, wherever the application maps them, and all other requests to a separate
 * management port. Loaded only if Actuator is present. Spring Boot's web server may be missing, as in a WAR: only the
 * superclass may ask for the port.
 */
final class ActuatorRequests extends ApplicationContextRequestMatcher<WebApplicationContext> {

    private final RequestMatcher endpoints = new OrRequestMatcher(
            EndpointRequest.toAnyEndpoint(), EndpointRequest.toAdditionalPaths(WebServerNamespace.SERVER, "health"));

    ActuatorRequests() {
        super(WebApplicationContext.class);
    }

    @Override
    protected boolean matches(HttpServletRequest request, Supplier<WebApplicationContext> context) {
        return hasServerNamespace(context.get(), WebServerNamespace.MANAGEMENT.getValue())
                || endpoints.matches(request);
    }
}
