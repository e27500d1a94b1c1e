package io.credential.spring.webhook.internal;

import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.web.internal.ProblemResponse;
import io.credential.webhook.WebhookErrorCode;

/**
 * Thrown when a body cannot be read or decoded, or the application asks for the parameters or parts of a body that cannot
 * provide them. As the servlet specification requires, it is an {@link IllegalStateException}. It is the sender's error: Spring MVC and
 * {@link WebhookSignatureFilter} answer with the status of this exception, unless the application handles it.
 */
final class UnusableBodyException extends IllegalStateException implements ErrorResponse {

    private static final long serialVersionUID = 1;
    private static final String ATTRIBUTE = UnusableBodyException.class.getName();
    private static final int MAX_CAUSES = 20;

    /** The reasons in audit events. */
    private static final String REASON_UNREADABLE = "unreadable-body";

    private static final String REASON_TOO_LARGE = "body-too-large";
    private static final String REASON_UNSUPPORTED = "unsupported-media-type";

    private final HttpStatus status;
    private final String code;
    private final String reason;
    private final HttpHeaders headers = new HttpHeaders();

    private UnusableBodyException(HttpStatus status, String code, String reason, String detail) {
        super(detail);
        this.status = status;
        this.code = code;
        this.reason = reason;
    }

    private static UnusableBodyException bad(String detail) {
        return new UnusableBodyException(
                HttpStatus.BAD_REQUEST, WebhookErrorCode.BAD_BODY.text(), REASON_UNREADABLE, detail);
    }

    private static UnusableBodyException unsupported(String detail) {
        return new UnusableBodyException(
                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                WebhookSignatureFilter.UNSUPPORTED_MEDIA_TYPE,
                REASON_UNSUPPORTED,
                detail);
    }

    /** The client closed the connection, or sent malformed chunks. */
    static UnusableBodyException unreadable(Exception cause) {
        UnusableBodyException unreadable =
                bad("The body could not be read to its end; the request was not accepted and may be sent again");
        unreadable.initCause(cause);
        return unreadable;
    }

    static UnusableBodyException malformedGzip() {
        return bad("The body is not valid gzip");
    }

    static UnusableBodyException malformedForm(FormParameters.MalformedFormException malformed) {
        return bad("The body is not a valid form: it " + malformed.getMessage());
    }

    static UnusableBodyException tooLarge(long maxBytes) {
        return new UnusableBodyException(
                HttpStatus.CONTENT_TOO_LARGE,
                WebhookSignatureFilter.TOO_LARGE,
                REASON_TOO_LARGE,
                "The body is longer than " + maxBytes + " bytes");
    }

    static UnusableBodyException encoding() {
        UnusableBodyException encoding =
                unsupported("Webhooks with a Content-Encoding other than gzip are not supported");
        encoding.headers.set(HttpHeaders.ACCEPT_ENCODING, "gzip"); // RFC 9110, section 15.5.16
        return encoding;
    }

    static UnusableBodyException multipart() {
        return unsupported("Webhooks with this multipart Content-Type are not supported");
    }

    /** Returns the code of the response. */
    String code() {
        return code;
    }

    /** Returns the reason for the audit trail. */
    String reason() {
        return reason;
    }

    /** Notes this exception for {@link #noted}, and returns it. */
    UnusableBodyException noteIn(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
        return this;
    }

    /** Returns what an earlier dispatch of this request noted, or null. */
    static @Nullable UnusableBodyException noted(ServletRequest request) {
        return (UnusableBodyException) request.getAttribute(ATTRIBUTE);
    }

    /** Returns the exception of this class among a failure and its causes, or null. */
    static @Nullable UnusableBodyException causeOf(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof UnusableBodyException unusable) {
                return unusable;
            }
            cause = cause.getCause();
        }
        return null;
    }

    @Override
    public HttpStatus getStatusCode() {
        return status;
    }

    @Override
    public ProblemDetail getBody() {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, getMessage());
        problem.setProperty("code", code);
        return problem;
    }

    /** Does nothing if the response is committed. */
    void writeTo(HttpServletResponse response) throws IOException {
        if (!response.isCommitted()) {
            headers.forEach((name, values) -> response.setHeader(name, values.get(0)));
            new ProblemResponse(status, code, String.valueOf(getMessage())).writeTo(response);
        }
    }
}
