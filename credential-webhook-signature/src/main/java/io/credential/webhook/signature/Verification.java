package io.credential.webhook.signature;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.internal.AuditTrail;
import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookVerifyObservationContext;
import io.credential.observation.WebhookVerifyObservationConvention;
import io.credential.observation.internal.GuardedObservation;
import io.credential.webhook.WebhookException;

/**
 * Reports the outcome of one verification to the audit trail, and observes it: the checks with the body, or that the request
 * was rejected before. Thread-safe after {@link #examine} has returned.
 */
final class Verification {

    private static final String EVENT = "webhook.verify";

    private static final WebhookVerifyObservationConvention OBSERVATION_CONVENTION =
            new WebhookVerifyObservationConvention();

    private final String verifier;
    private final String algorithm;
    private final AuditTrail audit;
    private final ObservationRegistry observations;
    private @Nullable String presentedId;

    /** The checks that need the body. */
    @FunctionalInterface
    interface BodyChecks<V> {
        V verify(byte @Nullable [] body, Runnable signatureChecked);
    }

    Verification(String verifier, String algorithm, AuditTrail audit, ObservationRegistry observations) {
        this.verifier = verifier;
        this.algorithm = algorithm;
        this.audit = audit;
        this.observations = observations;
    }

    /** Sets the id that the request claims to have. Its form has been checked, but not that it was signed. */
    void presents(String id) {
        presentedId = id;
    }

    /**
     * Runs the checks that do not need the body. Every failure is audited, including that of a nonce store.
     *
     * @param headerChecks return the checks that need the body
     * @param onSuccess called with what was verified
     */
    <V> PresentedSignature<V> examine(Supplier<BodyChecks<V>> headerChecks, Consumer<V> onSuccess) {
        BodyChecks<V> bodyChecks;
        try {
            bodyChecks = audited(headerChecks);
        } catch (RuntimeException e) {
            observeEnd(observation -> note(observation, e));
            throw e;
        }
        return new PresentedSignature<>() {

            @Override
            public V verify(byte @Nullable [] body, Runnable signatureChecked) {
                return observed(() -> {
                    V verified = audited(() -> bodyChecks.verify(body, signatureChecked));
                    onSuccess.accept(verified);
                    return verified;
                });
            }

            @Override
            public void abandon(String reason) {
                failed(reason);
                // The reason may come from the application, and be anything.
                observeEnd(observation -> observation.context().rejected("abandoned"));
            }
        };
    }

    private <T> T observed(Supplier<T> work) {
        if (observations.isNoop()) {
            return work.get();
        }
        return startObservation()
                .run(
                        context -> {
                            T result = work.get();
                            context.accepted();
                            return result;
                        },
                        Verification::note);
    }

    /** Observes a verification that ended before the body was checked. */
    private void observeEnd(Consumer<GuardedObservation<WebhookVerifyObservationContext>> outcome) {
        if (!observations.isNoop()) {
            GuardedObservation<WebhookVerifyObservationContext> observation = startObservation();
            outcome.accept(observation);
            observation.stop();
        }
    }

    private static void note(GuardedObservation<WebhookVerifyObservationContext> observation, Throwable failure) {
        if (failure instanceof WebhookException rejection) {
            observation.context().rejected(rejection.errorCode().reason());
        } else {
            observation.context().failed("unavailable");
            observation.error(failure);
        }
    }

    private GuardedObservation<WebhookVerifyObservationContext> startObservation() {
        return GuardedObservation.startInScope(
                CredentialObservation.WEBHOOK_VERIFY,
                OBSERVATION_CONVENTION,
                new WebhookVerifyObservationContext(verifier, algorithm),
                observations);
    }

    /** @param facts with the name of the verifier */
    void succeeded(@Nullable String id, Supplier<Map<String, Object>> facts) {
        audit.successReport(EVENT, id, facts).run();
    }

    private <T> T audited(Supplier<T> checks) {
        try {
            return checks.get();
        } catch (WebhookException e) {
            failed(e.errorCode().reason());
            throw e;
        } catch (RuntimeException e) {
            failed("unavailable");
            throw e;
        }
    }

    private void failed(String reason) {
        String id = presentedId;
        audit.rejection(
                EVENT,
                reason,
                null,
                id == null ? Map.of("verifier", verifier) : Map.of("verifier", verifier, "presentedId", id));
    }
}
