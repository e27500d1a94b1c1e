package io.credential.spring.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.storage.internal.JsonText;

/**
 * Answers the requests by which a sender checks that a URL belongs to the application, before it sends webhooks there. Define
 * one bean for each such sender. Filters that follow, security filter chains and controllers are not called. Must be
 * thread-safe.
 *
 * @since 0.1.0
 */
public interface WebhookHandshake {

    /** Returns the name of the sender in {@code credential.webhook.inbound}. Startup fails if there is none. */
    String sender();

    /**
     * Returns the HTTP methods, in upper case, of the requests without a signature that {@link #answer} may answer, usually
     * {@code GET}. It is asked about every such request to the paths of the sender, also if webhooks have this method. Empty
     * if handshakes are signed.
     */
    Set<String> methods();

    /**
     * Returns the answer to a request whose signature was not verified, with status 200. Anyone can send such a request.
     * Default: null.
     *
     * @param query the decoded parameters of the query that occur once; the body is not read. Not called without a query, or
     *     with one that is malformed or longer than 4,096 characters
     * @return null to handle the request as if this handshake did not exist
     */
    default @Nullable Answer answer(Map<String, String> query) {
        return null;
    }

    /**
     * Returns the answer to a request whose signature was verified, with status 200. Default: null.
     *
     * @param body the verified body; a copy
     * @return null to pass the request to the application
     */
    default @Nullable Answer answerVerified(byte[] body) {
        return null;
    }

    /** The body of an answer, of at most 16,384 bytes. Browsers show it as text, whatever it contains. Immutable. */
    final class Answer {

        private static final int MAX_BYTES = 16_384;

        private final String contentType;
        private final byte[] body;

        private Answer(String contentType, String body) {
            this.contentType = contentType;
            this.body = body.getBytes(StandardCharsets.UTF_8);
            if (this.body.length > MAX_BYTES) {
                throw new IllegalArgumentException("The answer is longer than " + MAX_BYTES + " bytes");
            }
        }

        /**
         * Returns an answer of type {@code text/plain}, in UTF-8.
         *
         * @throws IllegalArgumentException if it is too long
         */
        public static Answer text(String body) {
            return new Answer("text/plain;charset=UTF-8", body);
        }

        /**
         * Returns an answer of type {@code application/json}: an object with these members.
         *
         * @throws IllegalArgumentException if it is too long
         */
        public static Answer json(Map<String, String> members) {
            return new Answer("application/json", JsonText.write(members));
        }

        /** Returns the value of the header {@code Content-Type}. */
        public String contentType() {
            return contentType;
        }

        /** Returns a copy of the bytes to send. */
        public byte[] body() {
            return body.clone();
        }
    }
}
