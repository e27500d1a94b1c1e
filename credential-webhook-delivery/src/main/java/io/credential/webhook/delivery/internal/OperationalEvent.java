package io.credential.webhook.delivery.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.PauseReason;

/**
 * An event about the starter itself. Payloads contain ids, counts, words and times in Unix milliseconds; what is sealed at rest,
 * such as the owner, name and metadata of a key, is left out, because payloads are stored unencrypted.
 *
 * @param audience the audience whose endpoints get the event; null for the endpoints without an audience, those of operators
 * @param payload in plain JSON types; the order of its keys is that of the JSON
 * @param occasion an idempotency key: of all events with this occasion, on all nodes, one is stored; null if the event is
 *     stored in the transaction of what it tells, and needs none
 */
public record OperationalEvent(
        Type type,
        @Nullable String audience,
        Map<String, Object> payload,
        @Nullable String occasion) {

    /** The beginning of all types; applications cannot dispatch events of such types. */
    public static final String PREFIX = "credential.";

    /** While the backlog stays old, an event is sent in each period of this length since 1970. */
    private static final Duration BACKLOG_PERIOD = Duration.ofHours(1);

    public OperationalEvent {
        DispatcherRules.require("type", type);
        if (audience != null) {
            DispatcherRules.requireAudience(audience);
        }
        payload = Collections.unmodifiableMap(new LinkedHashMap<>(DispatcherRules.require("payload", payload)));
    }

    /** The types. Their texts are stable. */
    public enum Type {
        /** An API key expires soon. */
        API_KEY_EXPIRING("credential.api-key.expiring"),
        /** The old secret of a rotated API key is used shortly before it stops working. */
        API_KEY_OLD_SECRET_USED("credential.api-key.old-secret-used"),
        /** The token of an API key was found in public. */
        API_KEY_LEAKED("credential.api-key.leaked"),
        /** An API key was disabled because it was idle. */
        API_KEY_DISABLED_AS_IDLE("credential.api-key.disabled-as-idle"),
        /** An endpoint was paused. */
        ENDPOINT_PAUSED("credential.endpoint.paused"),
        /** A delivery is dead. */
        DELIVERY_DEAD("credential.delivery.dead"),
        /** A delivery has been due for long. */
        BACKLOG_OLD("credential.backlog.old");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** Returns the event type that endpoints subscribe to. */
        public String text() {
            return text;
        }
    }

    /** Returns whether an event type is reserved for operational events. */
    public static boolean isReserved(String eventType) {
        return eventType.startsWith(PREFIX);
    }

    /** Tells that an API key expires soon, once for each time of expiry. */
    public static OperationalEvent apiKeyExpiring(String namespace, String keyId, Instant expiresAt) {
        return ofKey(Type.API_KEY_EXPIRING, namespace, keyId, expiresAt, payload("expiresAt", expiresAt));
    }

    /**
     * Tells that the old secret of an API key is still used, once for each rotation.
     *
     * @param secondaryExpiresAt when the old secret stops working
     */
    public static OperationalEvent oldSecretUsed(
            String namespace, String keyId, Instant usedAt, Instant secondaryExpiresAt) {
        Map<String, Object> payload = payload("usedAt", usedAt);
        payload.put("secondaryExpiresAt", secondaryExpiresAt.toEpochMilli());
        return ofKey(Type.API_KEY_OLD_SECRET_USED, namespace, keyId, secondaryExpiresAt, payload);
    }

    /**
     * Tells that the token of an API key was found in public, once for each place and version of the key.
     *
     * @param state that of the key after the response to the report
     * @param source the kind of place; null if unknown
     * @param url the place; null if unknown
     */
    public static OperationalEvent apiKeyLeaked(
            String namespace,
            String keyId,
            long version,
            String state,
            @Nullable String source,
            @Nullable String url,
            Instant reportedAt) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("namespace", namespace);
        payload.put("keyId", keyId);
        payload.put("state", state);
        if (source != null) {
            payload.put("source", source);
        }
        if (url != null) {
            payload.put("url", url);
        }
        payload.put("reportedAt", reportedAt.toEpochMilli());
        String place =
                new FieldBytes(256).optionalText(source).optionalText(url).sha256();
        Type type = Type.API_KEY_LEAKED;
        return new OperationalEvent(
                type, null, payload, type.text() + "/" + namespace + "/" + keyId + "/" + version + "/" + place);
    }

    /** Tells that an API key was disabled because it was idle; to be raised in the transaction that disables it. */
    public static OperationalEvent apiKeyDisabledAsIdle(String namespace, String keyId, Instant disabledAt) {
        return ofKey(Type.API_KEY_DISABLED_AS_IDLE, namespace, keyId, disabledAt, payload("disabledAt", disabledAt));
    }

    /**
     * Returns this event for the endpoints of an audience. It has the same payload and a separate occasion: it is stored
     * once for each audience, whether or not it is stored for operators.
     *
     * @throws io.credential.webhook.delivery.WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if this is not a
     *     valid audience
     */
    public OperationalEvent forAudience(String audience) {
        DispatcherRules.requireAudience(audience);
        return new OperationalEvent(type, audience, payload, occasion == null ? null : occasion + "/" + audience);
    }

    private static OperationalEvent ofKey(
            Type type, String namespace, String keyId, Instant end, Map<String, Object> times) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("namespace", namespace);
        payload.put("keyId", keyId);
        payload.putAll(times);
        return new OperationalEvent(
                type, null, payload, type.text() + "/" + namespace + "/" + keyId + "/" + end.toEpochMilli());
    }

    /** Tells that an endpoint was paused; to be raised in the transaction that pauses it. */
    public static OperationalEvent endpointPaused(String endpointId, PauseReason reason, Instant pausedAt) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("endpointId", endpointId);
        payload.put("pauseReason", reason.text());
        payload.put("pausedAt", pausedAt.toEpochMilli());
        return new OperationalEvent(Type.ENDPOINT_PAUSED, null, payload, null);
    }

    /**
     * Tells that a delivery is dead; to be raised in the transaction that stores this.
     *
     * @param eventType that of the delivery; not a reserved one, so that no dead event leads to another
     */
    public static OperationalEvent deliveryDead(
            String deliveryId,
            String eventId,
            String eventType,
            String endpointId,
            int attempts,
            DeadReason reason,
            Instant deadAt) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("deliveryId", deliveryId);
        payload.put("eventId", eventId);
        payload.put("eventType", eventType);
        payload.put("endpointId", endpointId);
        payload.put("attempts", attempts);
        payload.put("reason", reason.text());
        payload.put("deadAt", deadAt.toEpochMilli());
        return new OperationalEvent(Type.DELIVERY_DEAD, null, payload, null);
    }

    /** Tells that a delivery has been due for long, at most once in each hour of the clock. */
    public static OperationalEvent backlogOld(DispatcherBacklog backlog, Instant oldestDueAt, Instant now) {
        Map<String, Object> payload = payload("oldestDueAt", oldestDueAt);
        payload.put("pending", backlog.pending());
        payload.put("inFlight", backlog.inFlight());
        payload.put("dead", backlog.dead());
        long period = Math.floorDiv(now.toEpochMilli(), BACKLOG_PERIOD.toMillis());
        return new OperationalEvent(Type.BACKLOG_OLD, null, payload, Type.BACKLOG_OLD.text() + "/" + period);
    }

    private static Map<String, Object> payload(String name, Instant time) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put(name, time.toEpochMilli());
        return payload;
    }
}
