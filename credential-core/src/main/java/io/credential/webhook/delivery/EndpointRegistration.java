package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;

/**
 * The registration of an endpoint. Immutable; prints neither the secret nor the URL, which may contain one.
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
     * @param eventTypes 1 to 1000 event types, {@code *} for all; duplicates are dropped
     * @param secret the signature key; its UTF-8 bytes are used unchanged, 1 to 4096 bytes
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if one is missing or out of range
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

    /** The same as {@link #of(String, String, Collection, String)}, with the event types as the last arguments. */
    public static EndpointRegistration of(
            @Nullable String endpointId,
            @Nullable String url,
            @Nullable String secret,
            String @Nullable ... eventTypes) {
        return of(endpointId, url, eventTypes == null ? null : Arrays.asList(eventTypes), secret);
    }

    /**
     * Returns a copy with an audience. The audience of a registered endpoint cannot change: a registration with another
     * one, or with none, is rejected until the endpoint is removed.
     *
     * @param audience 1 to 255 of {@code [A-Za-z0-9._:-]}; null for none, the default
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is out of range
     */
    public EndpointRegistration audience(@Nullable String audience) {
        String checked = audience == null ? null : DispatcherRules.requireAudience(audience);
        return new EndpointRegistration(endpointId, url, eventTypes, secret, checked, payloadFormat, createOnly);
    }

    /**
     * Returns a copy with another format of the bodies; default: {@link PayloadFormat#RAW}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public EndpointRegistration payloadFormat(PayloadFormat payloadFormat) {
        PayloadFormat checked = DispatcherRules.require("payloadFormat", payloadFormat);
        return new EndpointRegistration(endpointId, url, eventTypes, secret, audience, checked, createOnly);
    }

    /** Returns a copy that is rejected if the id is already registered; default: the endpoint is replaced. */
    public EndpointRegistration createOnly() {
        return new EndpointRegistration(endpointId, url, eventTypes, secret, audience, payloadFormat, true);
    }

    /** Returns the id of the endpoint. */
    public String endpointId() {
        return endpointId;
    }

    /** Returns the URL that webhooks are posted to. */
    public String url() {
        return url;
    }

    /** Returns the event types it subscribes to, without duplicates; {@code *} stands for all; unmodifiable. */
    public List<String> eventTypes() {
        return eventTypes;
    }

    /** Returns the audience, or null if there is none. */
    public @Nullable String audience() {
        return audience;
    }

    /** Returns the format of the bodies. */
    public PayloadFormat payloadFormat() {
        return payloadFormat;
    }

    /** Returns whether the registration is rejected if the id is already registered. */
    public boolean isCreateOnly() {
        return createOnly;
    }

    /** Returns the secret, for implementations of {@link WebhookDispatcher}. It is shared: do not close it. */
    public SecretBytes secret() {
        return secret;
    }

    @Override
    public String toString() {
        return "EndpointRegistration[" + endpointId + ", " + eventTypes + "]";
    }
}
