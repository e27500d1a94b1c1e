package io.credential.webhook.signature;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditTrail;
import io.credential.webhook.WebhookException;

/** Reports the outcome of one verification to the audit trail. Thread-safe after {@link #examine} has returned. */
final class Verification {

    private static final String EVENT = "webhook.verify";

    private final String verifier;
    private final AuditTrail audit;
    private @Nullable String presentedId;

    /** The checks that need the body. */
    @FunctionalInterface
    interface BodyChecks<V> {
        V verify(byte @Nullable [] body);
    }

    Verification(String verifier, AuditTrail audit) {
        this.verifier = verifier;
        this.audit = audit;
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
        BodyChecks<V> bodyChecks = audit(headerChecks);
        return new PresentedSignature<>() {

            @Override
            public V verify(byte @Nullable [] body) {
                V verified = audit(() -> bodyChecks.verify(body));
                onSuccess.accept(verified);
                return verified;
            }

            @Override
            public void abandon(String reason) {
                failed(reason);
            }
        };
    }

    void succeeded(@Nullable String id, Map<String, Object> facts) {
        Map<String, Object> attributes = new HashMap<>(facts);
        attributes.put("verifier", verifier);
        audit.success(EVENT, id, attributes).run();
    }

    private <T> T audit(Supplier<T> checks) {
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
