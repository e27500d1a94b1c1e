package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.RateLimit;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.HeaderRules;

/**
 * The registration of an endpoint. Immutable; does not print the secret, the headers or the URL, which may contain a secret.
 *
 * @since 0.1.0
 */
public final class EndpointRegistration {

    private final Values values;

    private EndpointRegistration(Values values) {
        this.values = values;
    }

    /**
     * @param endpointId 1 to 255 of {@code [A-Za-z0-9._:-]}, but not {@code .} or {@code ..}
     * @param url up to 2048 characters; checked when it is registered
     * @param eventTypes 1 to 1000 event types; {@code order.*} stands for all that begin with {@code order.}, and {@code *} for
     *     all; with such a wildcard, at most eight dots; duplicates are dropped
     * @param secret the signature key; its UTF-8 bytes are used unchanged, 1 to 4096 bytes
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if one is missing or out of range
     */
    public static EndpointRegistration of(
            @Nullable String endpointId,
            @Nullable String url,
            @Nullable Collection<String> eventTypes,
            @Nullable String secret) {
        return new EndpointRegistration(new Values(
                DispatcherRules.requireEndpointId(endpointId),
                DispatcherRules.requireUrl(url),
                DispatcherRules.requireEventTypes(eventTypes),
                DispatcherRules.requireSecret(secret)));
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
     * Returns a registration whose secret the dispatcher generates: 256 random bits in the form that the scheme of the
     * endpoint requires. The result of the registration contains it, and nothing shows it afterwards. If the endpoint
     * exists and its scheme is the same, it keeps its secret, and the result contains none.
     *
     * @param eventTypes as for {@link #of(String, String, Collection, String)}
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if one is missing or out of range
     */
    public static EndpointRegistration withGeneratedSecret(
            @Nullable String endpointId, @Nullable String url, @Nullable Collection<String> eventTypes) {
        return new EndpointRegistration(new Values(
                DispatcherRules.requireEndpointId(endpointId),
                DispatcherRules.requireUrl(url),
                DispatcherRules.requireEventTypes(eventTypes),
                null));
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
        return with(copy -> copy.audience = checked);
    }

    /**
     * Returns a copy with another scheme of signatures; default: {@link SignatureScheme#CREDENTIAL}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, or cannot sign with the secret
     */
    public EndpointRegistration scheme(SignatureScheme scheme) {
        DispatcherRules.require("scheme", scheme);
        if (values.secret != null) {
            DispatcherRules.requireSecret(scheme, values.secret);
        }
        return with(copy -> copy.scheme = scheme);
    }

    /**
     * Returns a copy with another name of the header that carries the signature, for the schemes {@link SignatureScheme#STRIPE}
     * and {@link SignatureScheme#GITHUB}. With another scheme, or if requests use the name for something else, the
     * registration is rejected.
     *
     * @param name an HTTP token of 1 to 128 characters; not one that {@link #header} rejects, but it may begin with {@code
     *     X-Webhook-} and {@code Webhook-}; null for that of the scheme, the default
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is out of range
     */
    public EndpointRegistration signatureHeader(@Nullable String name) {
        String checked = name == null ? null : HeaderRules.requireSignatureHeaderOfEndpoint(name);
        return with(copy -> copy.signatureHeader = checked);
    }

    /**
     * Returns a copy with another format of the bodies; default: {@link PayloadFormat#RAW}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public EndpointRegistration payloadFormat(PayloadFormat payloadFormat) {
        PayloadFormat checked = DispatcherRules.require("payloadFormat", payloadFormat);
        return with(copy -> copy.payloadFormat = checked);
    }

    /**
     * Returns a copy with a display name, which is stored unencrypted.
     *
     * @param name 1 to 128 characters, not all of them blank, and no control characters; null for none, the default
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is out of range
     */
    public EndpointRegistration name(@Nullable String name) {
        String checked = name == null ? null : EndpointRules.requireName(name);
        return with(copy -> copy.name = checked);
    }

    /**
     * Returns a copy with other metadata, which is stored unencrypted. The dispatcher does not use it.
     *
     * @param metadata a JSON object of at most 4 KiB; default: empty
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, too large, or cannot be
     *     written as JSON
     */
    public EndpointRegistration metadata(Map<String, ?> metadata) {
        Map<String, Object> checked = EndpointRules.requireMetadata(metadata);
        return with(copy -> copy.metadata = checked);
    }

    /**
     * Returns a copy with a rate limit: within any window, whenever it begins, no more requests than this are sent to the
     * endpoint. Deliveries that it does not admit stay pending, and are sent later. Default: no limit.
     *
     * @param limit how many requests each window admits; 1 to 1,000,000
     * @param window how long a window lasts; 1 second to 1 day, in whole seconds
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if one is null or out of range
     */
    public EndpointRegistration rateLimit(int limit, Duration window) {
        RateLimit checked = EndpointRules.requireRateLimit(limit, window);
        return with(copy -> copy.rateLimit = checked);
    }

    /**
     * Returns a copy with one more header for each request, such as {@code Authorization}. It replaces one with the same
     * name. The values are sealed like the secret, and not shown afterwards. At most 20 headers, with at most 4 KiB of names
     * and values in total.
     *
     * @param name an HTTP token of 1 to 128 characters; not one of the headers that the dispatcher or the transport sets:
     *     {@code Host}, {@code User-Agent}, {@code Connection} and others for a single hop, and those that begin with {@code
     *     Content-}, {@code X-Webhook-}, {@code Webhook-} or {@code Proxy-}; when it is registered, also not one that the
     *     dispatcher is configured to set
     * @param value visible ASCII characters, and spaces between them
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if one is null or out of range
     */
    public EndpointRegistration header(String name, String value) {
        Map<String, SecretBytes> more = EndpointRules.withHeader(values.headers, name, value);
        return with(copy -> copy.headers = more);
    }

    /**
     * Returns a copy that keeps the headers of the endpoint if it exists. Headers of the registration are added to them, or
     * replace those with the same name. Default: headers that the registration lacks are removed. The limits of {@link
     * #header} apply to all of them together. Headers are kept only if the scheme, the host and the port of the URL stay the
     * same: a value may be a password for that host.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the secret is given, not generated
     */
    public EndpointRegistration keepingHeaders() {
        DispatcherRules.requireThat(
                values.secret == null, "keepingHeaders is only for registrations with a generated secret");
        return with(copy -> copy.keepingHeaders = true);
    }

    /** Returns a copy that is rejected if the id is already registered; default: the endpoint is replaced. */
    public EndpointRegistration createOnly() {
        return with(copy -> {
            copy.createOnly = true;
            copy.replaceOnly = false;
        });
    }

    /**
     * Returns a copy that is rejected ({@code webhook-dispatcher/not-found}) if no endpoint of its audience has the id; by
     * default, the endpoint is created. Use it to edit an endpoint that may be removed at the same time. Reverts {@link
     * #createOnly()}, and is reverted by it.
     */
    public EndpointRegistration replaceOnly() {
        return with(copy -> {
            copy.replaceOnly = true;
            copy.createOnly = false;
        });
    }

    /** Returns the id of the endpoint. */
    public String endpointId() {
        return values.endpointId;
    }

    /** Returns the URL that webhooks are posted to. */
    public String url() {
        return values.url;
    }

    /** Returns the event types it subscribes to, some of which may be wildcards; without duplicates; unmodifiable. */
    public List<String> eventTypes() {
        return values.eventTypes;
    }

    /** Returns the audience, or null if there is none. */
    public @Nullable String audience() {
        return values.audience;
    }

    /** Returns the scheme of the signatures. */
    public SignatureScheme scheme() {
        return values.scheme;
    }

    /** Returns the name of the signature header; null if it is not set, and the scheme has no default. */
    public @Nullable String signatureHeader() {
        return values.signatureHeader == null ? values.scheme.signatureHeader() : values.signatureHeader;
    }

    /** Returns the format of the bodies. */
    public PayloadFormat payloadFormat() {
        return values.payloadFormat;
    }

    /** Returns the display name; null for none. */
    public @Nullable String name() {
        return values.name;
    }

    /** Returns the metadata; unmodifiable. */
    public Map<String, Object> metadata() {
        return values.metadata;
    }

    /** Returns how many requests it gets at most; null if that is not limited. */
    public @Nullable RateLimit rateLimit() {
        return values.rateLimit;
    }

    /** Returns whether the headers of an endpoint that exists are kept. */
    public boolean isKeepingHeaders() {
        return values.keepingHeaders;
    }

    /** Returns whether the registration is rejected if the id is already registered. */
    public boolean isCreateOnly() {
        return values.createOnly;
    }

    /** Returns whether the registration is rejected if no endpoint has the id. */
    public boolean isReplaceOnly() {
        return values.replaceOnly;
    }

    /**
     * Returns the secret, for implementations of {@link WebhookDispatcher}; null if it is to be generated. It is shared: do
     * not close it.
     */
    public @Nullable SecretBytes secret() {
        return values.secret;
    }

    /**
     * Returns the headers by their names, for implementations of {@link WebhookDispatcher}. The values are shared: do not
     * close them.
     */
    public Map<String, SecretBytes> headers() {
        return Collections.unmodifiableMap(values.headers);
    }

    @Override
    public String toString() {
        return "EndpointRegistration[" + values.endpointId + ", " + values.eventTypes + "]";
    }

    private EndpointRegistration with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        return new EndpointRegistration(changed);
    }

    /** Change only before a registration holds them. */
    private static final class Values {

        private final String endpointId;
        private final String url;
        private final List<String> eventTypes;
        private final @Nullable SecretBytes secret;
        private @Nullable String audience;
        private SignatureScheme scheme = SignatureScheme.CREDENTIAL;
        private @Nullable String signatureHeader;
        private PayloadFormat payloadFormat = PayloadFormat.RAW;
        private @Nullable String name;
        private Map<String, Object> metadata = Map.of();
        private @Nullable RateLimit rateLimit;
        private Map<String, SecretBytes> headers = Map.of();
        private boolean keepingHeaders;
        private boolean createOnly;
        private boolean replaceOnly;

        Values(String endpointId, String url, List<String> eventTypes, @Nullable SecretBytes secret) {
            this.endpointId = endpointId;
            this.url = url;
            this.eventTypes = eventTypes;
            this.secret = secret;
        }

        Values(Values others) {
            this(others.endpointId, others.url, others.eventTypes, others.secret);
            this.audience = others.audience;
            this.scheme = others.scheme;
            this.signatureHeader = others.signatureHeader;
            this.payloadFormat = others.payloadFormat;
            this.name = others.name;
            this.metadata = others.metadata;
            this.rateLimit = others.rateLimit;
            this.headers = others.headers;
            this.keepingHeaders = others.keepingHeaders;
            this.createOnly = others.createOnly;
            this.replaceOnly = others.replaceOnly;
        }
    }
}
