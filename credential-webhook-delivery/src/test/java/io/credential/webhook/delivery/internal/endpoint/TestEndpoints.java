package io.credential.webhook.delivery.internal.endpoint;

import java.security.SecureRandom;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Endpoints without a database, for tests of attempts. */
public final class TestEndpoints {

    private TestEndpoints() {}

    /** Returns a directory that finds this endpoint, or none, for every id. */
    public static EndpointDirectory directory(@Nullable Subscriber subscriber, LongSupplier nanoTime) {
        return new EndpointDirectory(endpointId -> subscriber, nanoTime);
    }

    /** Returns an endpoint with a random secret and no audience. */
    public static Subscriber subscriber(EndpointSecrets secrets, String endpointId, String url) {
        try (SecretBytes secret = SecretBytes.random(32, new SecureRandom())) {
            SecretCells cells =
                    secrets.seal(new SecretBinding(endpointId, url, null), SignatureScheme.CREDENTIAL, null, secret);
            return new Subscriber(url, cells, null, null, PayloadFormat.RAW, 1, false, false, null);
        }
    }
}
