package io.credential.spring.webhook.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.webhook.WebhookHandshake;
import io.credential.spring.webhook.WebhookHandshake.Answer;

/** Sends the answers of a {@link WebhookHandshake}. */
final class Handshakes {

    /** In characters. */
    private static final int MAX_QUERY = 4096;

    private static final int MAX_PARAMETERS = 100;

    private Handshakes() {}

    /** Answers a request that was not verified, if the handshake of its sender does. The body is not read. */
    static boolean answers(InboundWebhook webhook, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        WebhookHandshake handshake = webhook.handshake();
        String query = request.getQueryString();
        if (handshake == null
                || query == null
                || query.length() > MAX_QUERY
                || request.getDispatcherType() != DispatcherType.REQUEST
                || !handshake.methods().contains(request.getMethod())) {
            return false;
        }
        Map<String, String> parameters = single(query);
        return parameters != null && send(handshake.answer(parameters), response);
    }

    /** Answers a verified request, if the handshake of its sender does. */
    static boolean answers(@Nullable WebhookHandshake handshake, byte[] verified, HttpServletResponse response)
            throws IOException {
        return handshake != null && send(handshake.answerVerified(verified.clone()), response);
    }

    /** Returns null for a malformed query: it is not a handshake. */
    private static @Nullable Map<String, String> single(String query) {
        Map<String, String> single = new HashMap<>();
        try {
            FormParameters.parse(query.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8, MAX_PARAMETERS)
                    .forEach((name, values) -> {
                        if (values.length == 1) {
                            single.put(name, values[0]);
                        }
                    });
        } catch (FormParameters.MalformedFormException e) {
            return null;
        }
        return single;
    }

    private static boolean send(@Nullable Answer answer, HttpServletResponse response) throws IOException {
        if (answer == null) {
            return false;
        }
        byte[] body = answer.body();
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(answer.contentType());
        response.setContentLength(body.length);
        // Anyone can choose what an answer repeats: browsers must not run it, and caches must not keep it.
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.getOutputStream().write(body);
        return true;
    }
}
