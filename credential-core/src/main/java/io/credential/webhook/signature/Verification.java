package io.credential.webhook.signature;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditTrail;
import io.credential.webhook.WebhookException;

/** Reports one verification to the audit trail, however it ends. Thread-safe once it was {@link #examined}. */
final class Verification {

    private static final String EVENT = "webhook.verify";

    private final String verifier;
    private final AuditTrail audit;
    private @Nullable String presentedId;

    Verification(String verifier, AuditTrail audit) {
        this.verifier = verifier;
        this.audit = audit;
    }

    /** The id that the request claims to have; its form is checked, its truth is not. */
    void presents(String id) {
        presentedId = id;
    }

    /**
     * Runs the checks that need no body, which return those that do. Every failure is audited, that of a nonce store
     * as well.
     *
     * @param onSuccess told what was verified
     */
    <V> PresentedSignature<V> examined(Supplier<PresentedSignature<V>> checks, Consumer<V> onSuccess) {
        PresentedSignature<V> rest = audited(checks);
        return new PresentedSignature<>() {

            @Override
            public V verify(byte @Nullable [] body) {
                V verified = audited(() -> rest.verify(body));
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
