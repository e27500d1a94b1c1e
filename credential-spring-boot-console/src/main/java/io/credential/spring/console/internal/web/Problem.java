package io.credential.spring.console.internal.web;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * What the console tells an operator instead of a page.
 *
 * @param status of the response
 * @param title a short summary
 * @param message what was wrong, and what to do
 * @param code a stable code; null if there is none
 * @param link where the request can succeed, for example at the leader; null if that is not known
 */
public record Problem(
        HttpStatus status,
        String title,
        String message,
        @Nullable String code,
        @Nullable String link) {

    /** Returns a problem without code and link. */
    public static Problem of(HttpStatus status, String title, String message) {
        return new Problem(status, title, message, null, null);
    }

    /** Returns the problem that the HTTP API would respond with. */
    public static Problem of(ResponseEntity<ProblemDetail> answer) {
        ProblemDetail detail = Objects.requireNonNull(answer.getBody());
        Map<String, Object> properties = Objects.requireNonNullElse(detail.getProperties(), Map.of());
        HttpStatus status = HttpStatus.valueOf(detail.getStatus());
        return new Problem(
                status,
                Objects.requireNonNullElse(detail.getTitle(), status.getReasonPhrase()),
                Objects.requireNonNullElse(detail.getDetail(), ""),
                properties.get("code") instanceof String code ? code : null,
                null);
    }

    /** Returns the same problem with a link. */
    public Problem withLink(@Nullable String link) {
        return new Problem(status, title, message, code, link);
    }
}
