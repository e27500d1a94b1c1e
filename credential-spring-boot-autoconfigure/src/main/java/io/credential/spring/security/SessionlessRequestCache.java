package io.credential.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The chain's request cache, less the requests that are not repeated after a log-in: those with a key, and all of them
 * where keys are what the chain asks for. Saving one creates a session. Thread-safe.
 */
final class SessionlessRequestCache implements RequestCache {

    private final RequestCache requests;
    private final RequestMatcher carriesKey;
    private volatile boolean keysAreAskedFor;

    SessionlessRequestCache(RequestCache requests, RequestMatcher carriesKey) {
        this.requests = requests;
        this.carriesKey = carriesKey;
    }

    /** The chain answers every request that is not authenticated by asking for a key. */
    void keysAreAskedFor() {
        keysAreAskedFor = true;
    }

    @Override
    public void saveRequest(HttpServletRequest request, HttpServletResponse response) {
        if (!keysAreAskedFor && !carriesKey.matches(request)) {
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
