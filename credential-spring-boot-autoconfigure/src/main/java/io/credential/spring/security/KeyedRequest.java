package io.credential.spring.security;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;

/**
 * A request that a key has authenticated. Until it has passed the chain's other mechanisms, it shows no session:
 * log-out cannot end one, and log-in cannot store an identity in one. No CSRF token protects them from such a request.
 */
final class KeyedRequest extends HttpServletRequestWrapper {

    private static final String ATTRIBUTE = KeyedRequest.class.getName();

    private boolean sessionIsOpen;

    KeyedRequest(HttpServletRequest request) {
        super(request);
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The one that this request is or wraps; null when no key has authenticated it. */
    static @Nullable KeyedRequest of(HttpServletRequest request) {
        return (KeyedRequest) request.getAttribute(ATTRIBUTE);
    }

    static RefusedCredentialsException anotherCredential() {
        return new RefusedCredentialsException(
                RefusedCredentialsException.AMBIGUOUS, "Another credential in the request beside the API key");
    }

    /** From now on it is the application that asks. */
    void openSession() {
        sessionIsOpen = true;
    }

    /**
     * @throws RefusedCredentialsException if a mechanism wants to create a session
     */
    @Override
    public @Nullable HttpSession getSession(boolean create) {
        if (sessionIsOpen) {
            return super.getSession(create);
        }
        if (create) {
            throw anotherCredential();
        }
        return null;
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }
}
