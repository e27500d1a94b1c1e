package io.credential.observation;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;

/**
 * The state of {@link CredentialObservation#WEBHOOK_ATTEMPT}. With tracing, the attempt continues the trace that is stored
 * with its event. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookAttemptObservationContext extends ReceiverContext<Map<String, String>> {

    private final String deliveryId;
    private final String eventId;
    private final String endpointId;
    private final String eventType;
    private final int attempt;
    private String outcome = Words.NONE;
    private String reason = Words.NONE;
    private @Nullable Integer status;

    /**
     * @param attempt the number of the attempt, from 1
     * @param traceParent as it is stored with the event; ignored if it is null or malformed
     */
    public WebhookAttemptObservationContext(
            String deliveryId,
            String eventId,
            String endpointId,
            String eventType,
            int attempt,
            @Nullable String traceParent) {
        super(Map::get, Kind.CONSUMER);
        this.deliveryId = deliveryId;
        this.eventId = eventId;
        this.endpointId = endpointId;
        this.eventType = eventType;
        this.attempt = attempt;
        setCarrier(TraceParent.carrier(traceParent));
    }

    public String deliveryId() {
        return deliveryId;
    }

    public String eventId() {
        return eventId;
    }

    public String endpointId() {
        return endpointId;
    }

    public String eventType() {
        return eventType;
    }

    public int attempt() {
        return attempt;
    }

    /**
     * Returns {@code delivered}, {@code failed}, {@code dead} or {@code released} (given back without counting); {@code
     * none} while it is running.
     */
    public String outcome() {
        return outcome;
    }

    /** Returns a stable word such as {@code http-status} or {@code timeout}, or {@code none}. */
    public String reason() {
        return reason;
    }

    /** Returns the class of the response status, for example {@code 5xx}, or {@code none}. */
    public String statusClass() {
        return Words.statusClass(status);
    }

    /** Sets why it fails; the last reason counts. */
    public void failing(String why) {
        this.reason = why;
    }

    public void ended(String how, @Nullable Integer responseStatus) {
        this.outcome = how;
        this.status = responseStatus;
    }
}
