package io.credential.webhook.delivery.endpoint;

import java.security.SecureRandom;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.queue.Subscriber;

/** Endpoints without a database, for tests of attempts. */
public final class TestEndpoints {

    private TestEndpoints() {}

    /** Knows one endpoint, or none, whatever the id. */
    public static EndpointDirectory directory(@Nullable Subscriber subscriber, LongSupplier nanoTime) {
        return new EndpointDirectory(endpointId -> subscriber, nanoTime);
    }

    /** An endpoint without an audience, with a secret of its own. */
    public static Subscriber subscriber(EndpointSecrets secrets, String endpointId, String url) {
        try (SecretBytes secret = SecretBytes.random(32, new SecureRandom())) {
            String cell = secrets.seal(new SecretBinding(endpointId, url, null), secret);
            return new Subscriber(url, cell, null, PayloadFormat.RAW);
        }
    }
}
