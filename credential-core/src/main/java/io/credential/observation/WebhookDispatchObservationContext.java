package io.credential.observation;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * The state of {@link CredentialObservation#WEBHOOK_DISPATCH}. With tracing, its start sets the {@link #traceParent} that
 * is stored with the event. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookDispatchObservationContext extends SenderContext<Map<String, String>> {

    /** A rejected event type may be longer. */
    private static final int MAX_EVENT_TYPE = 128;

    private final String operation;
    private final String eventType;
    private String outcome = Words.NONE;
    private String reason = Words.NONE;

    /** @param operation {@code dispatch} or {@code enqueue} */
    public WebhookDispatchObservationContext(String operation, String eventType) {
        super(TraceParent::put, Kind.PRODUCER);
        this.operation = operation;
        this.eventType = eventType.substring(0, Math.min(eventType.length(), MAX_EVENT_TYPE));
        setCarrier(new HashMap<>());
    }

    public String operation() {
        return operation;
    }

    public String eventType() {
        return eventType;
    }

    /** Returns {@code stored}, {@code rejected} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    /** Returns the code of the rejection, for example {@code webhook-dispatcher/bad-opts}, or {@code none}. */
    public String reason() {
        return reason;
    }

    /** Returns the W3C {@code traceparent} of the dispatch; null if it is not traced. */
    public @Nullable String traceParent() {
        return TraceParent.in(getCarrier());
    }

    public void stored() {
        this.outcome = "stored";
    }

    public void rejected(String why) {
        this.outcome = "rejected";
        this.reason = why;
    }

    public void failed() {
        this.outcome = "error";
    }
}
