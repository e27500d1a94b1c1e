package io.credential.observation;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * The state of {@link CredentialObservation#WEBHOOK_REQUEST}. With tracing, its start sets the {@link #traceParent} that is
 * sent to the receiver. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookRequestObservationContext extends SenderContext<Map<String, String>> {

    private String outcome = Words.NONE;
    private @Nullable Integer status;

    public WebhookRequestObservationContext() {
        super(TraceParent::put, Kind.CLIENT);
        setCarrier(new HashMap<>());
    }

    /** Returns {@code answered} or {@code failed}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    /** Returns the class of the response status, for example {@code 5xx}, or {@code none}. */
    public String statusClass() {
        return Words.statusClass(status);
    }

    /** Returns the W3C {@code traceparent} of the request; null if it is not traced. */
    public @Nullable String traceParent() {
        return TraceParent.in(getCarrier());
    }

    public void answered(int responseStatus) {
        this.outcome = "answered";
        this.status = responseStatus;
    }

    public void failed() {
        this.outcome = "failed";
    }
}
