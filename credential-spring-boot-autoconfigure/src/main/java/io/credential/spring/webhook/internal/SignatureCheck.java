package io.credential.spring.webhook.internal;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.RequestHead;

/** Verifies the requests of one sender in two steps: without the body, and with it. Thread-safe. */
@FunctionalInterface
public interface SignatureCheck {

    /**
     * Makes all checks that need no body.
     *
     * @return the remaining checks
     * @throws WebhookException with the code of the first check that failed
     */
    PresentedSignature<?> examine(HttpServletRequest request) throws WebhookException;

    /** Returns a check with this verifier; the result is a {@link io.credential.webhook.signature.VerifiedWebhook}. */
    static SignatureCheck of(WebhookVerifier verifier) {
        return request -> verifier.examineRequest(new RequestHead(url(request), headers(request)));
    }

    /**
     * Returns a check in the style of payment processors; the result is a {@link
     * io.credential.webhook.signature.ProcessorVerification}.
     */
    static SignatureCheck of(ProcessorSignature signature) {
        return request -> {
            List<String> lines = Collections.list(request.getHeaders(signature.signatureHeader()));
            // Two lines are ambiguous, and treated as none.
            return signature.examine(lines.size() == 1 ? lines.get(0) : null);
        };
    }

    private static String url(HttpServletRequest request) {
        String query = request.getQueryString();
        return query == null ? request.getRequestURL().toString() : request.getRequestURL() + "?" + query;
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }
}
