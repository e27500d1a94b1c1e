package io.credential.spring.webhook;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.PresentedProcessorSignature;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookVerifier;

/**
 * How the requests of one sender are verified, in two steps: what needs no body, and the rest. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SignatureCheck {

    /**
     * Makes every check that needs no body.
     *
     * @return the checks that are left
     * @throws WebhookException with the code of the first check that failed
     */
    BodyCheck examine(HttpServletRequest request) throws WebhookException;

    /** Verifies with this verifier; the result is a {@link io.credential.webhook.signature.VerifiedWebhook}. */
    static SignatureCheck of(WebhookVerifier verifier) {
        return request -> {
            PresentedSignature presented = verifier.examine(headers(request));
            return new PresentedCheck(presented::verify, presented::abandon);
        };
    }

    /**
     * Verifies in the style of payment processors; the result is a
     * {@link io.credential.webhook.signature.ProcessorVerification}.
     */
    static SignatureCheck of(ProcessorSignature signature) {
        return request -> {
            List<String> lines = Collections.list(request.getHeaders(signature.signatureHeader()));
            // Two lines are none: which of them is meant is anybody's guess.
            String line = lines.size() == 1 ? lines.get(0) : null;
            PresentedProcessorSignature presented = signature.examine(line);
            return new PresentedCheck(presented::verify, presented::abandon);
        };
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }

    /** The checks that need the body. */
    @FunctionalInterface
    interface BodyCheck {

        /**
         * @param body the bytes as they were received
         * @return what was verified
         * @throws WebhookException with the code of the first check that failed
         * @throws RuntimeException when it cannot be told, for example because a nonce store fails
         */
        Object verify(byte[] body) throws WebhookException;

        /**
         * Reports that they will not be made, so that the refusal is audited; does nothing unless overridden.
         *
         * @param reason a short word such as {@code unreadable-body}
         */
        default void abandon(String reason) {}
    }
}
