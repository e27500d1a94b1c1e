package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Collection;
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
    private final PayloadFormat payloadFormat;
    private final boolean createOnly;

    private EndpointRegistration(
            String endpointId,
            String url,
            List<String> eventTypes,
            SecretBytes secret,
            @Nullable String audience,
            PayloadFormat payloadFormat,
            boolean createOnly) {
        this.endpointId = endpointId;
        this.url = url;
        this.eventTypes = eventTypes;
        this.secret = secret;
        this.audience = audience;
        this.payloadFormat = payloadFormat;
        this.createOnly = createOnly;
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
                null,
                PayloadFormat.RAW,
                false);
    }

    /** {@link #of(String, String, Collection, String)} with the events one by one. */
    public static EndpointRegistration of(
            @Nullable String endpointId,
            @Nullable String url,
            @Nullable String secret,
            String @Nullable ... eventTypes) {
        return of(endpointId, url, eventTypes == null ? null : Arrays.asList(eventTypes), secret);
    }

    /**
     * The same in an audience. An endpoint that is registered stays in its audience: with another one, or with none, the
     * registration is refused until the endpoint is removed.
     *
     * @param audience 1 to 255 of {@code [A-Za-z0-9._:-]}; null for none, the default
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is out of range
     */
    public EndpointRegistration audience(@Nullable String audience) {
        String checked = audience == null ? null : DispatcherRules.requireAudience(audience);
        return new EndpointRegistration(endpointId, url, eventTypes, secret, checked, payloadFormat, createOnly);
    }

    /**
     * The same with bodies of another format; default: {@link PayloadFormat#RAW}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null
     */
    public EndpointRegistration payloadFormat(PayloadFormat payloadFormat) {
        PayloadFormat checked = DispatcherRules.require("payloadFormat", payloadFormat);
        return new EndpointRegistration(endpointId, url, eventTypes, secret, audience, checked, createOnly);
    }

    /** The same for a new endpoint only: an id that is registered already is refused; default: it is replaced. */
    public EndpointRegistration createOnly() {
        return new EndpointRegistration(endpointId, url, eventTypes, secret, audience, payloadFormat, true);
    }

    /** Names it; an endpoint of the same id is replaced, unless this {@link #isCreateOnly()}. */
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

    /** How the bodies of its webhooks are made. */
    public PayloadFormat payloadFormat() {
        return payloadFormat;
    }

    /** Whether an endpoint of the same id is left as it is, and the registration refused. */
    public boolean isCreateOnly() {
        return createOnly;
    }

    SecretBytes secret() {
        return secret;
    }

    @Override
    public String toString() {
        return "EndpointRegistration[" + endpointId + ", " + eventTypes + "]";
    }
}
