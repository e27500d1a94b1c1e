package io.credential.webhook.delivery;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.OperationalEvent;

/**
 * A registered endpoint, without its headers. {@code toString} prints neither the secret nor the URL, which may contain one.
 *
 * @param endpointId its id
 * @param url the URL that webhooks are posted to
 * @param eventTypes the event types it subscribes to; {@code order.*} stands for all that begin with {@code order.}, and
 *     {@code *} for all; unmodifiable
 * @param audience its audience; null for none
 * @param payloadFormat the format of the bodies
 * @param name display name; null for none
 * @param metadata a JSON object; unmodifiable
 * @param rateLimit how many requests it gets at most; null if that is not limited
 * @param createdAt when it was first registered
 * @param pausedAt when it was paused; null if it is not paused
 * @param pauseReason why it is paused; null if it is not
 * @param scheme how its requests are signed
 * @param signatureHeader the header that carries the signature in the schemes {@code stripe} and {@code github}; null in others
 * @param publicKey the public key of its secret, which receivers need; null if the secret has none
 * @param kid the name of its secret: {@code v1}, and the next number after each rotation; in signatures of {@link
 *     SignatureScheme#CREDENTIAL}, the key id
 * @param previousSecretUntil until when the secret before the last rotation signs too, or, in the scheme {@code github},
 *     instead; null if it does not
 * @param secret the secret, only in the result of the call that has generated it; null otherwise
 * @since 0.1.0
 */
public record Endpoint(
        String endpointId,
        String url,
        List<String> eventTypes,
        @Nullable String audience,
        PayloadFormat payloadFormat,
        @Nullable String name,
        Map<String, Object> metadata,
        @Nullable RateLimit rateLimit,
        Instant createdAt,
        @Nullable Instant pausedAt,
        @Nullable PauseReason pauseReason,
        SignatureScheme scheme,
        @Nullable String signatureHeader,
        @Nullable String publicKey,
        String kid,
        @Nullable Instant previousSecretUntil,
        @Nullable String secret) {

    /** The list is copied, and so is the map, but not the values in it. */
    public Endpoint {
        eventTypes = List.copyOf(eventTypes);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /**
     * Returns whether it lists an event type, or a wildcard that stands for it; no wildcard stands for the type of an
     * operational event. Does not consider audiences.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the type is null
     */
    public boolean subscribesTo(String eventType) {
        DispatcherRules.require("eventType", eventType);
        return eventTypes.contains(eventType)
                || (!eventType.startsWith(OperationalEvent.PREFIX)
                        && eventTypes.stream()
                                .filter(listed -> listed.endsWith(DispatcherRules.WILDCARD))
                                .anyMatch(listed -> eventType.startsWith(listed.substring(0, listed.length() - 1))));
    }

    /** Returns a copy with the secret that was generated for it. */
    public Endpoint withSecret(String secret) {
        return new Endpoint(
                endpointId,
                url,
                eventTypes,
                audience,
                payloadFormat,
                name,
                metadata,
                rateLimit,
                createdAt,
                pausedAt,
                pauseReason,
                scheme,
                signatureHeader,
                publicKey,
                kid,
                previousSecretUntil,
                secret);
    }

    @Override
    public String toString() {
        return "Endpoint[" + endpointId + ", " + eventTypes + "]";
    }
}
