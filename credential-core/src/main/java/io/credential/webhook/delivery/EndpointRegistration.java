package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;

/**
 * What an endpoint is to be. Immutable; prints without the secret, and without the URL, which may hold one.
 *
 * @since 0.1.0
 */
public final class EndpointRegistration {

    private final String endpointId;
    private final String url;
    private final List<String> eventTypes;
    private final SecretBytes secret;
    private final @Nullable String audience;

    private EndpointRegistration(
            String endpointId, String url, List<String> eventTypes, SecretBytes secret, @Nullable String audience) {
        this.endpointId = endpointId;
        this.url = url;
        this.eventTypes = eventTypes;
        this.secret = secret;
        this.audience = audience;
    }

    /**
     * @param endpointId 1 to 255 of {@code [A-Za-z0-9._:-]}
     * @param url up to 2048 characters; checked when it is registered
     * @param eventTypes at least one event, {@code *} for every one, at most 1000; repetitions are dropped
     * @param secret the key of the signature, its UTF-8 bytes exactly as they are; not empty, up to 4096 bytes
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when one is missing or out of range
     */
    public static EndpointRegistration of(
            @Nullable String endpointId,
            @Nullable String url,
            @Nullable Collection<String> eventTypes,
            @Nullable String secret) {
        return new EndpointRegistration(
                DispatcherRules.requireEndpointId(endpointId),
                DispatcherRules.requireUrl(url),
                DispatcherRules.requireEventTypes(eventTypes),
                DispatcherRules.requireSecret(secret),
                null);
    }

    /** {@link #of(String, String, Collection, String)} with the events one by one. */
    public static EndpointRegistration of(String endpointId, String url, String secret, String... eventTypes) {
        return of(endpointId, url, new LinkedHashSet<>(Arrays.asList(eventTypes)), secret);
    }

    /**
     * The same in an audience.
     *
     * @param audience 1 to 255 of {@code [A-Za-z0-9._:-]}; null for none
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is out of range
     */
    public EndpointRegistration audience(@Nullable String audience) {
        String checked = audience == null ? null : DispatcherRules.requireAudience(audience);
        return new EndpointRegistration(endpointId, url, eventTypes, secret, checked);
    }

    /** Names it; an endpoint of the same id is replaced. */
    public String endpointId() {
        return endpointId;
    }

    /** Where its webhooks are posted to. */
    public String url() {
        return url;
    }

    /** The events that it gets, without repetitions; {@code *} among them for every event; unmodifiable. */
    public List<String> eventTypes() {
        return eventTypes;
    }

    /** Null when the endpoint belongs to no audience. */
    public @Nullable String audience() {
        return audience;
    }

    SecretBytes secret() {
        return secret;
    }

    @Override
    public String toString() {
        return "EndpointRegistration[" + endpointId + ", " + eventTypes + "]";
    }
}
