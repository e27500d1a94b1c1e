package io.credential.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Wraps the request cache of the chain, which creates a session for each request that it saves. Saves no request with a
 * key, and none at all if the chain asks for keys, because such requests are not repeated after a login. Thread-safe.
 */
final class SessionlessRequestCache implements RequestCache {

    private final RequestCache requests;
    private final RequestMatcher carriesKey;
    private volatile boolean savesNothing;

    SessionlessRequestCache(RequestCache requests, RequestMatcher carriesKey) {
        this.requests = requests;
        this.carriesKey = carriesKey;
    }

    /** Saves no requests from now on, because the chain answers unauthenticated ones by asking for a key. */
    void saveNothing() {
        savesNothing = true;
    }

    @Override
    public void saveRequest(HttpServletRequest request, HttpServletResponse response) {
        if (!savesNothing && !carriesKey.matches(request)) {
            requests.saveRequest(request, response);
        }
    }

    @Override
    public @Nullable SavedRequest getRequest(HttpServletRequest request, HttpServletResponse response) {
        return requests.getRequest(request, response);
    }

    @Override
    public @Nullable HttpServletRequest getMatchingRequest(HttpServletRequest request, HttpServletResponse response) {
        return requests.getMatchingRequest(request, response);
    }

    @Override
    public void removeRequest(HttpServletRequest request, HttpServletResponse response) {
        requests.removeRequest(request, response);
    }
}
