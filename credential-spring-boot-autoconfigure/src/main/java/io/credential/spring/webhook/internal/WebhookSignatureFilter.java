package io.credential.spring.webhook.internal;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.web.internal.ProblemResponse;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Lets requests to the paths of incoming webhooks pass only if their signature verifies over the received bytes. All
 * other requests pass unchanged. The verified webhook is a request attribute. The body can still be read, as a stream,
 * by a reader, or as form parameters, which are then those of the body alone: path, query and other headers are not
 * signed. A verified request has no session of the container: the one it names is hidden, and one that is created ends
 * with the request. Must come before everything that reads bodies, in dispatches of all types: the application may
 * forward or dispatch a request to such a path. There, a request that was verified for the same sender is not verified
 * again.
 *
 * <p>A request to such a path by a method that is not configured is not verified. It passes if something after the
 * filter authorizes it, and is rejected otherwise. {@code HEAD} counts as {@code GET}, whose handlers it reaches.
 *
 * <p>A sender with a handshake can check its URL: the handshake answers requests before or after they are verified, instead of
 * the application.
 *
 * <p>The webhooks of some senders are stored and answered with 202, and reach nothing after the filter.
 *
 * <p>If the application does not respond to a request in a format of another sender with a status of 2xx, the same request is
 * accepted again.
 *
 * <p>Rejects a request with 400 if its body cannot be read, or its path cannot be decoded or matches patterns of two
 * senders; with 401 if it does not verify; with 405 for another method; with 413 if its body is too long; with 500 if it
 * cannot be verified; and with 503 if the nonce store or the inbox fails. A rejected request does not reach anything after
 * the filter. If the application asks a verified request for the parameters or parts of a body that cannot provide them,
 * this throws an {@link IllegalStateException}; unless the application handles it, the response is 400, 413 or 415.
 * Thread-safe.
 */
public final class WebhookSignatureFilter extends OncePerRequestFilter {

    /** The code of a 400: the path matches patterns of two senders. */
    public static final String AMBIGUOUS_PATH = "webhook/ambiguous-path";

    /** The code of a 400: the path cannot be decoded. */
    public static final String MALFORMED_PATH = "webhook/malformed-path";

    /** The code of a 500: the signature could not be verified. */
    public static final String INTERNAL = "webhook/internal";

    /** The code of a 503: the nonce store failed, or the webhook could not be stored. */
    public static final String UNAVAILABLE = "webhook/unavailable";

    /** The code of a 405. */
    public static final String METHOD_NOT_ALLOWED = "webhook/method-not-allowed";

    /** The code of a 413. */
    public static final String TOO_LARGE = "webhook/body-too-large";

    /** The code of a 415. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "webhook/unsupported-media-type";

    private static final String SENDER = WebhookSignatureFilter.class.getName() + ".SENDER";
    private static final String CHALLENGE = "Webhook realm=\"webhooks\"";

    private final InboundWebhooks webhooks;
    private final Predicate<HttpServletRequest> authorized;
    private final FormLimits formLimits;
    private final VerificationCounts counts;

    /**
     * @param webhooks the senders
     * @param authorized whether something after this filter authorizes a request: only then does a request by a method
     *     that is not configured pass
     * @param formLimits what forms may contain
     * @throws IllegalArgumentException if a path is not a valid pattern, or has repeated slashes or one at the end
     */
    public WebhookSignatureFilter(
            List<InboundWebhook> webhooks, Predicate<HttpServletRequest> authorized, FormLimits formLimits) {
        this.webhooks = new InboundWebhooks(webhooks);
        this.authorized = authorized;
        this.formLimits = formLimits;
        this.counts = new VerificationCounts(webhooks);
    }

    /** Returns how many requests were accepted and rejected. Handshakes are not counted. */
    public VerificationCounts counts() {
        return counts;
    }

    /**
     * Returns what this filter verified: a {@link VerifiedWebhook} or a {@link ProcessorVerification}, or null if it
     * verified nothing.
     */
    public static @Nullable Object verified(HttpServletRequest request) {
        return VerifiedRequest.verified(request);
    }

    /**
     * Returns the configured name of the sender whose signature this filter verified, or null if it verified nothing.
     */
    public static @Nullable String sender(HttpServletRequest request) {
        return (String) request.getAttribute(SENDER);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Otherwise, this filter would not run again in a forward or include.
        request.removeAttribute(getAlreadyFilteredAttributeName());
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            doFilterError(request, response, chain);
            return;
        }
        HttpServletRequest accepted = accept(request, response);
        if (accepted instanceof BufferedBodyRequest verified) {
            process(verified, response, chain);
        } else if (accepted != null) {
            pass(accepted, response, chain);
        }
    }

    private void process(BufferedBodyRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean failed = true;
        try {
            if (!Handshakes.answers(request.webhook().handshake(), request.body(), response)
                    && !stores(request, response)) {
                counts.accepted(request.webhook());
                pass(request, response, chain);
            }
            failed = false;
        } finally {
            request.nonceRelease().afterChain(request, response, failed);
        }
    }

    private static void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException e) {
            UnusableBodyException unusable = UnusableBodyException.causeOf(e);
            if (unusable == null) {
                throw e;
            }
            unusable.writeTo(response);
        }
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** For a body that cannot be used, Tomcat or Spring MVC set the status, and ask only for the error page. */
    private static void doFilterError(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        UnusableBodyException unusable = UnusableBodyException.noted(request);
        if (unusable != null && unusable.getStatusCode().value() == response.getStatus()) {
            unusable.writeTo(response);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Returns the request to pass on, or null if it was answered. */
    private @Nullable HttpServletRequest accept(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        InboundWebhook webhook;
        boolean passes;
        try {
            webhook = webhooks.find(request);
            passes = webhook == null || (!accepts(webhook, request.getMethod()) && authorized.test(request));
        } catch (InboundWebhooks.AmbiguousPathException e) {
            refusePath(
                    AMBIGUOUS_PATH,
                    "The path matches patterns of two senders; send the webhook to exactly the URL that was agreed on",
                    response);
            return null;
        } catch (InboundWebhooks.MalformedPathException e) {
            // Any client can cause this: no stack trace.
            logger.debug("A request was rejected, because its path cannot be decoded");
            refusePath(MALFORMED_PATH, "The path cannot be decoded", response);
            return null;
        } catch (RuntimeException e) {
            logger.error("Could not determine whether a request needs a signature; it was not accepted", e);
            refuse(response);
            return null;
        }
        if (webhook == null || webhook.name().equals(sender(request))) {
            return request;
        }
        if (answersHandshake(webhook, request, response)) {
            return null;
        }
        if (passes) {
            return request;
        }
        if (!accepts(webhook, request.getMethod())) {
            counts.rejected(webhook, METHOD_NOT_ALLOWED);
            refuseMethod(webhook, response);
            return null;
        }
        return verifyInContext(webhook, request, response);
    }

    private boolean answersHandshake(InboundWebhook webhook, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            return Handshakes.answers(webhook, request, response);
        } catch (RuntimeException e) {
            logger.error("The handshake of incoming webhook '" + webhook.name() + "' failed", e);
            counts.rejected(webhook, INTERNAL);
            refuse(response);
            return true;
        }
    }

    private static boolean accepts(InboundWebhook webhook, String method) {
        return webhook.methods().contains(method)
                || (method.equals("HEAD") && webhook.methods().contains("GET"));
    }

    /** This filter comes before the one that tells others, such as the audit trail, which request this thread has. */
    private @Nullable BufferedBodyRequest verifyInContext(
            InboundWebhook webhook, HttpServletRequest request, HttpServletResponse response) throws IOException {
        RequestAttributes before = RequestContextHolder.getRequestAttributes();
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            return verify(webhook, request, response);
        } finally {
            RequestContextHolder.setRequestAttributes(before);
        }
    }

    /** Returns the verified request, or null if it was answered. */
    private @Nullable BufferedBodyRequest verify(
            InboundWebhook webhook, HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            SignedBody body = SignedBody.read(webhook, webhook.check().examine(request), request);
            VerifiedRequest.note(request, body.verify());
            request.setAttribute(SENDER, webhook.name());
            return body.in(request, formLimits);
        } catch (WebhookException e) {
            logger.debug("Incoming webhook '" + webhook.name() + "' was rejected: " + e.code());
            counts.rejected(webhook, e.code());
            refuseSignature(e, response);
        } catch (UnusableBodyException e) {
            // Any sender can cause this: no stack trace.
            logger.debug("Incoming webhook '" + webhook.name() + "' was rejected: " + e.getMessage());
            counts.rejected(webhook, e.code());
            e.noteIn(request).writeTo(response);
        } catch (NonceStoreException e) {
            logger.error("Incoming webhook '" + webhook.name() + "' was not accepted", e);
            counts.rejected(webhook, UNAVAILABLE);
            refuseForNow(response);
        } catch (VerificationTurns.TooManyVerificationsException e) {
            // Any sender can cause this; the audit trail aggregates it.
            logger.debug("Incoming webhook '" + webhook.name() + "' was not accepted: " + e.getMessage());
            counts.rejected(webhook, INTERNAL);
            refuse(response);
        } catch (RuntimeException e) {
            logger.error("Incoming webhook '" + webhook.name() + "' could not be verified and was not accepted", e);
            counts.rejected(webhook, INTERNAL);
            refuse(response);
        }
        return null;
    }

    /** Returns whether the webhook is one that is stored, and was answered. */
    private boolean stores(BufferedBodyRequest request, HttpServletResponse response) throws IOException {
        WebhookStore store = request.webhook().store();
        if (store == null || !(verified(request) instanceof VerifiedWebhook webhook)) {
            return false;
        }
        try {
            store.store(webhook, request.body());
            counts.accepted(request.webhook());
            response.setStatus(HttpStatus.ACCEPTED.value());
        } catch (RuntimeException e) {
            logger.error(
                    "Incoming webhook '" + webhook.sender() + "' was not accepted, because it could not be stored", e);
            counts.rejected(request.webhook(), UNAVAILABLE);
            refuseForNow(response);
        }
        return true;
    }

    private static void refuseSignature(WebhookException rejection, HttpServletResponse response) throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
        new ProblemResponse(
                        HttpStatus.UNAUTHORIZED,
                        rejection.code(),
                        "This request needs a valid signature that was not used before")
                .writeTo(response);
    }

    private static void refuseForNow(HttpServletResponse response) throws IOException {
        new ProblemResponse(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        UNAVAILABLE,
                        "The request was not accepted, because the store of accepted requests failed; send it again"
                                + " later")
                .writeTo(response);
    }

    private static void refuse(HttpServletResponse response) throws IOException {
        if (!response.isCommitted()) {
            new ProblemResponse(
                            HttpStatus.INTERNAL_SERVER_ERROR,
                            INTERNAL,
                            "The signature could not be verified; the request was not accepted and may be sent again")
                    .writeTo(response);
        }
    }

    private static void refusePath(String code, String detail, HttpServletResponse response) throws IOException {
        new ProblemResponse(HttpStatus.BAD_REQUEST, code, detail).writeTo(response);
    }

    private static void refuseMethod(InboundWebhook webhook, HttpServletResponse response) throws IOException {
        response.setHeader(HttpHeaders.ALLOW, String.join(", ", webhook.methods()));
        new ProblemResponse(
                        HttpStatus.METHOD_NOT_ALLOWED,
                        METHOD_NOT_ALLOWED,
                        "This path accepts only webhooks with the method " + String.join(" or ", webhook.methods()))
                .writeTo(response);
    }
}
