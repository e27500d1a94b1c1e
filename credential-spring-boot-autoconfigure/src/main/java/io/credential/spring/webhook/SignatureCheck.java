package io.credential.spring.webhook;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.WebhookException;
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
    PresentedSignature<?> examine(HttpServletRequest request) throws WebhookException;

    /** Verifies with this verifier; the result is a {@link io.credential.webhook.signature.VerifiedWebhook}. */
    static SignatureCheck of(WebhookVerifier verifier) {
        return request -> verifier.examine(headers(request));
    }

    /**
     * Verifies in the style of payment processors; the result is a
     * {@link io.credential.webhook.signature.ProcessorVerification}.
     */
    static SignatureCheck of(ProcessorSignature signature) {
        return request -> {
            List<String> lines = Collections.list(request.getHeaders(signature.signatureHeader()));
            // Two lines are none: which of them is meant is anybody's guess.
            return signature.examine(lines.size() == 1 ? lines.get(0) : null);
        };
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }
}
