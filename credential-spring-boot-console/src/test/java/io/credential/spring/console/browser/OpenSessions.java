package io.credential.spring.console.browser;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;

/** The sessions of an application, so that a test can end them. */
final class OpenSessions implements HttpSessionListener {

    private final Set<HttpSession> open = ConcurrentHashMap.newKeySet();

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        open.add(event.getSession());
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        open.remove(event.getSession());
    }

    void endAll() {
        open.forEach(HttpSession::invalidate);
    }
}
