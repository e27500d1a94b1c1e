package io.credential.spring.console.browser;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Remembers the requests to an application and the status of their responses. */
final class RequestLog extends OncePerRequestFilter {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(request, response);
        lines.add(request.getMethod() + " " + request.getRequestURI() + " " + response.getStatus());
    }

    /** Such as {@code GET /credential/deliveries 200}, in the order in which they ended. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    void clear() {
        lines.clear();
    }
}
