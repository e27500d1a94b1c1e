package io.credential.observation.internal;

import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;

/**
 * Wraps an observation so that it cannot disturb the observed operation: if a handler, convention or predicate of the
 * application throws, this is logged. Errors are reported without message, cause and stack trace, which might contain a URL, a
 * payload or the id of a key. Must be stopped. Not thread-safe; the thread that starts one in scope must stop it.
 *
 * @param <C> its state
 */
public final class GuardedObservation<C extends Observation.Context> {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedObservation.class);

    private final C context;
    private final ObservationRegistry registry;
    private final Observation observation;
    private @Nullable Scope scope;

    private GuardedObservation(
            CredentialObservation kind,
            ObservationConvention<C> convention,
            C context,
            ObservationRegistry registry,
            @Nullable GuardedObservation<?> parent) {
        this.context = context;
        this.registry = registry;
        this.observation = created(kind, convention, context, registry);
        guarded(() -> {
            if (parent != null) {
                observation.parentObservation(parent.observation);
            }
            observation.start();
        });
    }

    /**
     * Starts an observation. Creates objects even if the registry {@link ObservationRegistry#isNoop() does nothing}, so
     * callers on hot paths check that first.
     *
     * @param parent null for the one in whose scope this is called, if any
     */
    public static <C extends Observation.Context> GuardedObservation<C> start(
            CredentialObservation kind,
            ObservationConvention<C> convention,
            C context,
            ObservationRegistry registry,
            @Nullable GuardedObservation<?> parent) {
        return new GuardedObservation<>(kind, convention, context, registry, parent);
    }

    /** Starts an observation, as {@link #start} does, that is the parent of what this thread observes until it is stopped. */
    public static <C extends Observation.Context> GuardedObservation<C> startInScope(
            CredentialObservation kind, ObservationConvention<C> convention, C context, ObservationRegistry registry) {
        GuardedObservation<C> started = start(kind, convention, context, registry, null);
        if (!registry.isNoop()) { // else the scope would hide what the application observes by another registry
            started.openScope();
        }
        return started;
    }

    public C context() {
        return context;
    }

    /**
     * Runs the observed operation, and stops. What the operation throws is thrown unchanged.
     *
     * @param operation notes its outcome in the context
     * @param onFailure notes what the operation throws: as an {@link #error}, or as an outcome
     */
    public <T extends @Nullable Object> T run(
            Function<? super C, T> operation, BiConsumer<? super GuardedObservation<C>, Throwable> onFailure) {
        try {
            return operation.apply(context);
        } catch (RuntimeException | Error e) {
            onFailure.accept(this, e);
            throw e;
        } finally {
            stop();
        }
    }

    /** Notes a failure, of which only the name of its class is kept. */
    public void error(Throwable failure) {
        guarded(() -> observation.error(new ObservedFailure(failure)));
    }

    public void stop() {
        Scope opened = scope;
        if (opened != null) {
            guarded(opened.own()::close);
            registry.setCurrentObservationScope(opened.before());
        }
        guarded(observation::stop);
    }

    private void openScope() {
        Observation.Scope before = registry.getCurrentObservationScope();
        guarded(() -> scope = new Scope(observation.openScope(), before));
        if (scope == null) {
            registry.setCurrentObservationScope(before);
        }
    }

    private static <C extends Observation.Context> Observation created(
            CredentialObservation kind, ObservationConvention<C> convention, C context, ObservationRegistry registry) {
        try {
            return kind.observation(null, convention, () -> context, registry);
        } catch (RuntimeException | Error e) {
            report(e);
            return Observation.NOOP;
        }
    }

    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            report(e);
        }
    }

    private static void report(Throwable failure) {
        LOG.warn("An observation is incomplete, because a handler, convention or predicate of it failed", failure);
    }

    /** @param before what to return to, even if a handler fails when the scope is closed */
    private record Scope(Observation.Scope own, Observation.@Nullable Scope before) {}
}
