package io.credential.spring.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import jakarta.servlet.http.HttpServletResponse;

import io.credential.storage.JsonText;

/** Answers with an RFC 9457 body where no controller is involved. */
final class ProblemResponse {

    private final HttpStatus status;
    private final Map<String, Object> members = new LinkedHashMap<>();

    ProblemResponse(HttpStatus status, String code, String detail) {
        this.status = status;
        members.put("title", status.getReasonPhrase());
        members.put("status", status.value());
        members.put("detail", detail);
        members.put("code", code);
    }

    ProblemResponse with(String member, Object value) {
        members.put(member, value);
        return this;
    }

    void writeTo(HttpServletResponse response) throws IOException {
        byte[] body = JsonText.write(members).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
