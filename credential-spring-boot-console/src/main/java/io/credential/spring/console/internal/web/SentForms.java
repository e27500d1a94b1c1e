package io.credential.spring.console.internal.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.springframework.web.util.WebUtils;

import com.github.benmanes.caffeine.cache.Caffeine;

import jakarta.servlet.http.HttpSession;

/**
 * Accepts each form once, so that sending it again does not issue another secret. The ids of the last forms are in the session,
 * as strings that can be replicated. They are also kept on this node, because Spring Session creates a session object for each
 * request, so locking it does not exclude a second request. Thread-safe.
 */
final class SentForms {

    static final String PARAMETER = "form";

    private static final String ATTRIBUTE = SentForms.class.getName();
    private static final int REMEMBERED = 20;
    private static final int REMEMBERED_HERE = 10_000;
    private static final int ID_BYTES = 16;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{22}");

    private final Random random;
    private final Set<String> sentHere = Collections.newSetFromMap(Caffeine.newBuilder()
            .maximumSize(REMEMBERED_HERE)
            .expireAfterWrite(Duration.ofMinutes(10))
            .<String, Boolean>build()
            .asMap());

    SentForms(Random random) {
        this.random = random;
    }

    /** Returns the id of a new form. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Runs the action of a form.
     *
     * @throws ConsoleException if the form was sent before, or has no id
     */
    Reply once(HttpSession session, String id, Supplier<Reply> action) {
        if (!ID.matcher(id).matches()) {
            throw ConsoleException.badRequest("'" + PARAMETER + "' must be the id of a form. Open the form again.");
        }
        String here = session.getId() + " " + id;
        if (!sentHere.add(here) || !add(session, id)) {
            throw ConsoleException.conflict("This form was sent already. The secret is not shown again.");
        }
        boolean accepted = false;
        try {
            Reply reply = action.get();
            accepted = !(reply instanceof Reply.OfPage page && page.status().isError());
            return reply;
        } finally {
            if (!accepted) {
                remove(session, id);
                sentHere.remove(here);
            }
        }
    }

    private static boolean add(HttpSession session, String id) {
        synchronized (WebUtils.getSessionMutex(session)) {
            List<String> sent = sent(session);
            if (sent.contains(id)) {
                return false;
            }
            sent.add(id);
            while (sent.size() > REMEMBERED) {
                sent.remove(0);
            }
            session.setAttribute(ATTRIBUTE, sent);
            return true;
        }
    }

    private static void remove(HttpSession session, String id) {
        synchronized (WebUtils.getSessionMutex(session)) {
            List<String> sent = sent(session);
            sent.remove(id);
            session.setAttribute(ATTRIBUTE, sent);
        }
    }

    /** Returns a copy: sessions are replicated if an attribute is set, not if its value changes. */
    private static List<String> sent(HttpSession session) {
        List<String> copy = new ArrayList<>();
        if (session.getAttribute(ATTRIBUTE) instanceof List<?> sent) {
            sent.forEach(id -> copy.add(id.toString()));
        }
        return copy;
    }
}
