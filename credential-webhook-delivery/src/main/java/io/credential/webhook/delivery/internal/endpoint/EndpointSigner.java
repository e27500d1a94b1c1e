package io.credential.webhook.delivery.internal.endpoint;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;

/** Makes the headers of requests that are secret or need the secret of their endpoint. Thread-safe. */
public final class EndpointSigner {

    private static final String MASK = "******";

    private final Signature signature;
    private final @Nullable Signature overlapping;
    private final long overlapsUntil;
    private final InstantSource clock;
    private final Map<String, SecretBytes> headers;

    /** Makes the headers that carry signatures. */
    @FunctionalInterface
    interface Signature {

        Map<String, String> of(byte[] body, String deliveryId, String attemptId);
    }

    /**
     * @param overlapping signs until then, with the previous secret too or instead; null if none is left
     * @param overlapsUntil when the previous secret no longer signs, in Unix milliseconds
     */
    EndpointSigner(
            Signature signature,
            @Nullable Signature overlapping,
            long overlapsUntil,
            InstantSource clock,
            Map<String, SecretBytes> headers) {
        this.signature = signature;
        this.overlapping = overlapping;
        this.overlapsUntil = overlapsUntil;
        this.clock = clock;
        this.headers = headers;
    }

    /**
     * Returns the headers that carry the signatures of a body.
     *
     * @param attemptId begins with the delivery id, and is different in each attempt
     */
    public Map<String, String> sign(byte[] body, String deliveryId, String attemptId) {
        Signature current = overlapping != null && clock.millis() < overlapsUntil ? overlapping : signature;
        return current.of(body, deliveryId, attemptId);
    }

    /** Returns the headers that the endpoint was registered with. */
    public Map<String, String> registeredHeaders() {
        Map<String, String> opened = new LinkedHashMap<>();
        headers.forEach((name, value) -> opened.put(name, value.use(EndpointSecrets::text)));
        return opened;
    }

    /** Returns the same headers, with their values masked. */
    public Map<String, String> maskedHeaders() {
        Map<String, String> masked = new LinkedHashMap<>();
        headers.keySet().forEach(name -> masked.put(name, MASK));
        return masked;
    }

    /** Without the headers. */
    @Override
    public String toString() {
        return "EndpointSigner";
    }
}
