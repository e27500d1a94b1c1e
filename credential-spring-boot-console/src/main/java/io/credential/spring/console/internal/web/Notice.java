package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

import jakarta.servlet.http.HttpSession;

/**
 * What an action has done, as the page after it says. The kind and two numbers are in the URL with a seal, which only the session
 * of the action can have: no link of somebody else makes the console claim what was not done.
 *
 * @param kind what was done
 * @param first the first number of the text; 0 if it has none
 * @param second the second number of the text; 0 if it has fewer
 */
public record Notice(Kind kind, long first, long second) {

    static final String KIND = "done";
    static final String FIRST = "n";
    static final String SECOND = "m";
    static final String SEAL = "seal";

    /** What can be done. */
    public enum Kind {
        /** A delivery was retried. */
        RETRIED("The delivery was attempted; the latest attempt is below."),
        /** A delivery was made due, but not attempted yet. */
        DUE("The delivery is due and will be attempted in the background."),
        /** Deliveries were made due. */
        RETRIED_MANY("%1$s deliveries are due again. %2$s could not be retried."),
        /** Dead deliveries were made pending. */
        REPLAYED_MANY("%1$s dead deliveries are pending again."),
        /** Dead deliveries were removed. */
        PURGED("%1$s dead deliveries were removed permanently."),
        /** A payload was erased. */
        ERASED("The payload was erased, for all deliveries of the event."),
        /** A payload could not be erased. */
        NOT_ERASED("The payload was not erased, because a delivery of the event is pending or in flight."),
        /** A bulk retry was started. */
        STARTED("The bulk retry has started."),
        /** A bulk retry was cancelled. */
        CANCELLED("The bulk retry was cancelled. Deliveries that it had made due stay due."),
        /** An endpoint was created. */
        CREATED("The endpoint was created."),
        /** An endpoint was changed. */
        SAVED("The endpoint was saved."),
        /** An endpoint was paused. */
        PAUSED("The endpoint is paused. Its deliveries are kept."),
        /** An endpoint was resumed. */
        RESUMED("The endpoint is active again."),
        /** The secret of an endpoint was replaced by one that was given. */
        ROTATED("The secret of the endpoint was replaced."),
        /** An endpoint was removed. */
        REMOVED("The endpoint was removed. Its pending deliveries died."),
        /** A key was disabled. */
        DISABLED("The key is disabled. It is rejected until it is enabled."),
        /** A key was enabled. */
        ENABLED("The key is enabled."),
        /** A key was revoked. */
        REVOKED("The key is revoked. It is never accepted again."),
        /** Limits of a key were changed. */
        LIMITS_SAVED("The limits of the key were saved."),
        /** A verification was started. */
        VERIFYING("The verification of the audit log has started. Its result appears below.");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        private String parameter() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private static Kind of(String parameter) {
            return valueOf(parameter.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /** Returns a notice without numbers. */
    public static Notice of(Kind kind) {
        return new Notice(kind, 0, 0);
    }

    /** Returns the notice in the URL of a page; empty if it has none that was sealed for this session and page. */
    static Optional<Notice> in(ServerRequest request) {
        @Nullable HttpSession session = request.servletRequest().getSession(false);
        if (session == null) {
            return Optional.empty();
        }
        String kind = request.param(KIND).orElse("");
        String first = request.param(FIRST).orElse("0");
        String second = request.param(SECOND).orElse("0");
        String expected = seal(session, request.requestPath().pathWithinApplication().value(), kind, first, second);
        return request.param(SEAL)
                .filter(expected::equals)
                .map(sealed -> new Notice(Kind.of(kind), Long.parseLong(first), Long.parseLong(second)));
    }

    /**
     * Returns what the URL of the next page says.
     *
     * @param path of that page in the application
     */
    String query(HttpSession session, String path) {
        String seal = seal(session, path, kind.parameter(), String.valueOf(first), String.valueOf(second));
        return KIND + "=" + kind.parameter()
                + (first == 0 && second == 0 ? "" : "&" + FIRST + "=" + first + "&" + SECOND + "=" + second)
                + "&" + SEAL + "=" + seal;
    }

    /** The id of the session is the key: nobody else knows it, and the first bytes of a hash do not reveal it. */
    private static String seal(HttpSession session, String path, String kind, String first, String second) {
        return Formats.fingerprint(List.of(session.getId(), path, kind, first, second));
    }

    String text() {
        return kind.text.formatted(Formats.count(first), Formats.count(second));
    }
}
