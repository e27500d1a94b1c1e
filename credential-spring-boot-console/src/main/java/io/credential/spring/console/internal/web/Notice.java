package io.credential.spring.console.internal.web;

import java.util.Locale;
import java.util.Optional;

/**
 * What an action has done, as the page after it says. Only the kind and two numbers are in the URL, so that nobody can make the
 * console show a text of theirs.
 *
 * @param kind what was done
 * @param first the first number of the text; 0 if it has none
 * @param second the second number of the text; 0 if it has fewer
 */
public record Notice(Kind kind, long first, long second) {

    static final String KIND = "done";
    static final String FIRST = "n";
    static final String SECOND = "m";

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
        /** A job was started. */
        STARTED("The job has started."),
        /** A job was cancelled. */
        CANCELLED("The job was cancelled. Deliveries that it had made due stay due."),
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
        REMOVED("The endpoint was removed. Its pending deliveries are dead."),
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
    }

    /** Returns a notice without numbers. */
    public static Notice of(Kind kind) {
        return new Notice(kind, 0, 0);
    }

    /** Returns the notice that the URL of a page asks for; empty if it asks for none. */
    static Optional<Notice> in(Parameters parameters) {
        Optional<String> wanted = parameters.text(KIND);
        for (Kind kind : Kind.values()) {
            if (wanted.filter(kind.parameter()::equals).isPresent()) {
                return Optional.of(new Notice(
                        kind,
                        parameters.number(FIRST).orElse(0L),
                        parameters.number(SECOND).orElse(0L)));
            }
        }
        return Optional.empty();
    }

    String query() {
        return KIND + "=" + kind.parameter()
                + (first == 0 && second == 0 ? "" : "&" + FIRST + "=" + first + "&" + SECOND + "=" + second);
    }

    String text() {
        return kind.text.formatted(Formats.count(first), Formats.count(second));
    }
}
