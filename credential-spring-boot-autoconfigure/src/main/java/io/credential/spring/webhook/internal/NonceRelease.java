package io.credential.spring.webhook.internal;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.http.HttpStatusCode;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.webhook.signature.PresentedSignature;

/**
 * Releases the nonce of a verified request unless the application responds with a status of 2xx: the sender then sends the
 * webhook again, which must not be rejected as a replay. For one request, whose thread can change.
 */
final class NonceRelease {

    private static final Log LOG = LogFactory.getLog(WebhookSignatureFilter.class);

    private final String sender;
    private final PresentedSignature<?> verified;

    NonceRelease(String sender, PresentedSignature<?> verified) {
        this.sender = sender;
        this.verified = verified;
    }

    /** To be called when the chain of filters has returned, or has thrown. */
    void afterChain(HttpServletRequest request, HttpServletResponse response, boolean failed) {
        if (!failed && request.isAsyncStarted()) {
            request.getAsyncContext().addListener(new Listener(response));
        } else {
            // If the response has begun, it has its status: only sending the rest failed.
            releaseUnlessSuccessful(response, failed && !response.isCommitted());
        }
    }

    private void releaseUnlessSuccessful(HttpServletResponse response, boolean failed) {
        if (failed || !HttpStatusCode.valueOf(response.getStatus()).is2xxSuccessful()) {
            release();
        }
    }

    /** A failure is logged. */
    void release() {
        try {
            verified.forget();
        } catch (RuntimeException e) {
            LOG.error(
                    "Could not remove the nonce of an incoming webhook of '" + sender
                            + "' whose processing failed; it is rejected if it is sent again before its nonce expires",
                    e);
        }
    }

    private final class Listener implements AsyncListener {

        private final HttpServletResponse response;

        Listener(HttpServletResponse response) {
            this.response = response;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            releaseUnlessSuccessful(response, false);
        }

        /** The application or the container then sets the status. */
        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        /** A new cycle begins, whose listeners are others. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
