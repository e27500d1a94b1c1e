package io.credential.spring.security;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;

/**
 * A request that was authenticated by a key. Until it has passed the other mechanisms of the chain, it hides the
 * session: logout cannot end it, and login cannot store an identity in it, although no CSRF token protects them from
 * such a request.
 */
final class KeyedRequest extends HttpServletRequestWrapper {

    private static final String ATTRIBUTE = KeyedRequest.class.getName();

    private boolean sessionIsOpen;

    KeyedRequest(HttpServletRequest request) {
        super(request);
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Returns the keyed request that this request is or wraps, or null. */
    static @Nullable KeyedRequest of(HttpServletRequest request) {
        return (KeyedRequest) request.getAttribute(ATTRIBUTE);
    }

    /** Makes the session visible to the application from now on. */
    void openSession() {
        sessionIsOpen = true;
    }

    /** @throws RefusedCredentialsException if a mechanism creates a session */
    @Override
    public @Nullable HttpSession getSession(boolean create) {
        if (sessionIsOpen) {
            return super.getSession(create);
        }
        if (create) {
            throw new RefusedCredentialsException(
                    RefusedCredentialsException.AMBIGUOUS,
                    "A filter of the security filter chain tried to create a session for a request with an API key");
        }
        return null;
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }
}
