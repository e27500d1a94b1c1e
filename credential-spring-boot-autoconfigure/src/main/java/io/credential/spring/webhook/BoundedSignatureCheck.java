package io.credential.spring.webhook;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.signature.PresentedSignature;

/**
 * Lets a few verifications run at once and a few more wait: post-quantum signatures cost milliseconds of a processor,
 * which whoever knows a kid can ask for. When too many wait, a request is refused before its body is read. Thread-safe.
 *
 * @since 0.1.0
 */
public final class BoundedSignatureCheck implements SignatureCheck {

    private final SignatureCheck check;
    private final VerificationTurns turns;

    /**
     * @param turns shared by all that draw on the same processors
     */
    public BoundedSignatureCheck(SignatureCheck check, VerificationTurns turns) {
        this.check = check;
        this.turns = turns;
    }

    @Override
    public PresentedSignature<?> examine(HttpServletRequest request) {
        PresentedSignature<?> rest = check.examine(request);
        orAbandon(rest, turns::requirePlace);
        return new PresentedSignature<Object>() {

            @Override
            public Object verify(byte @Nullable [] body) {
                orAbandon(rest, turns::acquire);
                try {
                    return rest.verify(body);
                } finally {
                    turns.release();
                }
            }

            @Override
            public void abandon(String reason) {
                rest.abandon(reason);
            }
        };
    }

    private static void orAbandon(PresentedSignature<?> rest, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            rest.abandon("overloaded");
            throw e;
        }
    }
}
