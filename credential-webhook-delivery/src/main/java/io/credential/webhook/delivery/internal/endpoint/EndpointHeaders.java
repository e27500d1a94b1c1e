package io.credential.webhook.delivery.internal.endpoint;

import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.HeaderRules;

/** Checks and seals the headers that an endpoint is registered with, and those that it keeps. */
final class EndpointHeaders {

    private final DispatcherOptions options;
    private final EndpointSecrets secrets;
    private final String signatureHeader;

    EndpointHeaders(DispatcherOptions options, EndpointSecrets secrets, String signatureHeader) {
        this.options = options;
        this.secrets = secrets;
        this.signatureHeader = signatureHeader;
    }

    /**
     * Rejects names that depend on options of the dispatcher or on the scheme. All others were rejected before.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a name is taken
     */
    void requireOwn(EndpointRegistration registration) {
        String chosen = registration.signatureHeader();
        DispatcherRules.requireThat(
                chosen == null || registration.scheme().signatureHeader() != null,
                "signatureHeader is only for the schemes stripe and github, not for "
                        + registration.scheme().text());
        if (chosen != null && HeaderRules.contains(descriptive(), chosen)) {
            throw taken(registration, chosen, "describes the delivery", "with another signatureHeader");
        }
        requireOwn(registration, registration.headers().keySet());
    }

    private void requireOwn(EndpointRegistration registration, Collection<String> names) {
        String chosen = registration.signatureHeader();
        for (String name : names) {
            if (name.equalsIgnoreCase(chosen) || name.equalsIgnoreCase(signatureHeader)) {
                throw taken(registration, name, "carries the signature", "without it");
            }
            if (HeaderRules.contains(descriptive(), name)) {
                throw taken(registration, name, "describes the delivery", "without it");
            }
        }
    }

    private Collection<String> descriptive() {
        return options.requestHeaders().byOption().values();
    }

    private static WebhookDispatcherException taken(
            EndpointRegistration registration, String header, String use, String remedy) {
        return DispatcherRules.bad("The header " + header + " " + use + ". Register the endpoint "
                + registration.endpointId() + " " + remedy);
    }

    /**
     * Returns the sealed headers of a registration, with those of the existing endpoint if they are kept; null for none.
     *
     * @param existing null if there is none
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if headers must not be kept, {@code
     *     webhook-dispatcher/unreadable-secret} if they do not open
     */
    @Nullable String seal(EndpointRegistration registration, @Nullable SealedEndpoint existing) {
        SecretBinding binding = SecretBinding.of(registration);
        String cell = existing == null ? null : existing.headersCell();
        if (existing == null || cell == null || !registration.isKeepingHeaders()) {
            return secrets.sealHeaders(binding, registration.headers());
        }
        requireSameOrigin(existing.binding(), registration);
        Map<String, SecretBytes> kept = EndpointSecrets.readable(
                "The headers of endpoint " + registration.endpointId(),
                () -> secrets.openHeaders(existing.binding(), cell));
        try {
            return secrets.sealHeaders(binding, merge(registration, kept));
        } finally {
            kept.values().forEach(SecretBytes::close);
        }
    }

    private Map<String, SecretBytes> merge(EndpointRegistration registration, Map<String, SecretBytes> kept) {
        Map<String, SecretBytes> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        merged.putAll(kept);
        registration.headers().forEach((name, value) -> {
            merged.remove(name); // so that the name is written as in the registration
            merged.put(name, value);
        });
        requireOwn(registration, merged.keySet());
        HeaderRules.requireLimits(merged);
        return merged;
    }

    /** A value may be a password for the host that it was registered for. */
    private static void requireSameOrigin(SecretBinding existing, EndpointRegistration registration) {
        DispatcherRules.requireThat(
                origin(existing.url()).equals(origin(registration.url())),
                "The headers of endpoint " + registration.endpointId()
                        + " are kept only if the scheme, the host and the port of its URL stay the same. Register it with"
                        + " the headers for the new URL");
    }

    private static String origin(String url) {
        URI uri = URI.create(url);
        return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
