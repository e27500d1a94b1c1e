package io.credential.testing;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;

/**
 * Propagates W3C trace context as Micrometer Tracing does: a receiver continues the trace of its carrier, others that of
 * their parent, and a sender writes headers into its carrier. It also writes headers that nobody asked for. Thread-safe.
 */
public final class SimpleTracer implements ObservationHandler<Observation.Context> {

    private static final String TRACE_PARENT = "traceparent";

    private final AtomicInteger ids = new AtomicInteger();

    /** The {@code traceparent} of an observation that this tracer has seen. */
    public static String traceParent(Observation.Context context) {
        return Objects.requireNonNull(context.<String>get(TRACE_PARENT));
    }

    /** The id of the trace that a header belongs to. */
    public static String traceId(String traceParent) {
        return traceParent.substring(3, 35);
    }

    @Override
    public void onStart(Observation.Context context) {
        String parent = parent(context);
        int id = ids.incrementAndGet();
        String traceId = parent == null ? "%032x".formatted(id) : traceId(parent);
        String traceParent = "00-%s-%016x-01".formatted(traceId, id);
        context.put(TRACE_PARENT, traceParent);
        if (context instanceof SenderContext<?> sender) {
            send(sender, traceParent);
        }
    }

    private static <C> void send(SenderContext<C> sender, String traceParent) {
        sender.getSetter().set(sender.getCarrier(), TRACE_PARENT, traceParent);
        sender.getSetter().set(sender.getCarrier(), "baggage", "user=42");
        sender.getSetter().set(sender.getCarrier(), "Authorization", "Bearer injected");
    }

    private static @Nullable String parent(Observation.Context context) {
        if (context instanceof ReceiverContext<?> receiver) {
            return received(receiver);
        }
        ObservationView parent = context.getParentObservation();
        return parent == null ? null : parent.getContextView().get(TRACE_PARENT);
    }

    private static <C> @Nullable String received(ReceiverContext<C> receiver) {
        C carrier = receiver.getCarrier();
        return carrier == null ? null : receiver.getGetter().get(carrier, TRACE_PARENT);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
