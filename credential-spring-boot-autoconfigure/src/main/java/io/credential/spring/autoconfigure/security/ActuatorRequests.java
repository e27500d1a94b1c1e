package io.credential.spring.autoconfigure.security;

import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.context.support.WebApplicationContextUtils;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Matches requests to Actuator endpoints, wherever the application maps them, and all other requests to a separate
 * management port. Loaded only if Actuator is present.
 */
final class ActuatorRequests implements RequestMatcher {

    private final RequestMatcher endpoints = new OrRequestMatcher(
            EndpointRequest.toAnyEndpoint(), EndpointRequest.toAdditionalPaths(WebServerNamespace.SERVER, "health"));

    @Override
    public boolean matches(HttpServletRequest request) {
        return isAtManagementPort(request) || endpoints.matches(request);
    }

    private static boolean isAtManagementPort(HttpServletRequest request) {
        return WebServerApplicationContext.hasServerNamespace(
                WebApplicationContextUtils.getWebApplicationContext(request.getServletContext()),
                WebServerNamespace.MANAGEMENT.getValue());
    }
}
