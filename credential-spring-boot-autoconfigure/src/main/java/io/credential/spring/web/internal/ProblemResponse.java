package io.credential.spring.web.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import jakarta.servlet.http.HttpServletResponse;

import io.credential.storage.internal.JsonText;

/** Writes a problem response (RFC 9457) without a controller. Not thread-safe. */
public final class ProblemResponse {

    private final HttpStatus status;
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Creates a response with a stable code, for example {@code api-key/unauthorized}. */
    public ProblemResponse(HttpStatus status, String code, String detail) {
        this.status = status;
        members.put("title", status.getReasonPhrase());
        members.put("status", status.value());
        members.put("detail", detail);
        members.put("code", code);
    }

    /** Adds a member to the body. */
    public ProblemResponse with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    /**
     * Sends status, content type and body, in place of what a handler may have written already. The server adds the length at the end of the request, and {@code Connection:
     * close} if it closes the connection, as Jetty does if it has not received the whole body.
     */
    public void writeTo(HttpServletResponse response) throws IOException {
        String body = JsonText.write(members);
        if (!response.isCommitted()) {
            response.resetBuffer();
        }
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        try {
            response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalStateException e) { // a handler has taken the writer before it failed
            response.getWriter().write(body);
        }
    }
}
