package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link BulkJob}.
 *
 * @since 0.1.0
 */
public enum BulkJobState {
    /** It records which deliveries match; none has been retried yet. */
    SELECTING("selecting"),
    /** It makes the selected deliveries due. */
    RETRYING("retrying"),
    /** It has processed all selected deliveries. */
    FINISHED("finished"),
    /** It was cancelled; the selected deliveries that it had not made due stay as they are. */
    CANCELLED("cancelled");

    private final String text;

    BulkJobState(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the state with this text; empty if the text is unknown. */
    public static Optional<BulkJobState> ofText(@Nullable String text) {
        return Arrays.stream(values()).filter(state -> state.text.equals(text)).findFirst();
    }
}
