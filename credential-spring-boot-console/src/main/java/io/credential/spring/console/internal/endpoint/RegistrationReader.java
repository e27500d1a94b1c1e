package io.credential.spring.console.internal.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.credential.ratelimit.RateLimit;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;

/** Makes a registration of what was entered into the form of an endpoint. */
final class RegistrationReader {

    private RegistrationReader() {}

    /** Returns the registration of a new endpoint. */
    static EndpointRegistration create(Parameters parameters) {
        String id = parameters.text(EndpointForm.ID).orElse(null);
        String url = parameters.text(EndpointForm.URL).orElse(null);
        List<String> types = eventTypes(parameters);
        EndpointRegistration registration = parameters
                .exact("secret")
                .map(secret -> EndpointRegistration.of(id, url, types, secret))
                .orElseGet(() -> EndpointRegistration.withGeneratedSecret(id, url, types))
                .audience(parameters.text(EndpointForm.AUDIENCE).orElse(null))
                .createOnly();
        return withOptions(registration, parameters);
    }

    /** Returns the registration that replaces an endpoint, which keeps its secret and, unless told otherwise, its headers. */
    static EndpointRegistration replace(Endpoint endpoint, Parameters parameters) {
        String url = parameters.text(EndpointForm.URL).orElse(endpoint.url());
        EndpointRegistration registration = EndpointRegistration.withGeneratedSecret(
                        endpoint.endpointId(), url, eventTypes(parameters))
                .audience(endpoint.audience())
                .replaceOnly();
        return withOptions(
                parameters.isSelected("drop-headers") ? registration : registration.keepingHeaders(), parameters);
    }

    private static List<String> eventTypes(Parameters parameters) {
        List<String> types = new ArrayList<>(parameters.all(EndpointForm.SELECTED));
        types.addAll(parameters.lines(EndpointForm.TYPES));
        return types;
    }

    private static EndpointRegistration withOptions(EndpointRegistration registration, Parameters parameters) {
        EndpointRegistration changed = registration
                .scheme(scheme(parameters))
                .signatureHeader(parameters.text(EndpointForm.SIGNATURE_HEADER).orElse(null))
                .payloadFormat(format(parameters))
                .name(parameters.text(EndpointForm.NAME).orElse(null))
                .metadata(parameters.object(EndpointForm.METADATA).orElse(Map.of()));
        for (String line : parameters.lines("headers")) {
            changed = withHeader(changed, line);
        }
        Optional<RateLimit> limit = parameters.rateLimit();
        return limit.isPresent()
                ? changed.rateLimit(limit.get().limit(), limit.get().window())
                : changed;
    }

    static SignatureScheme scheme(Parameters parameters) {
        return SignatureScheme.ofText(parameters.required(EndpointForm.SCHEME))
                .orElseThrow(() -> ConsoleException.badRequest(
                        "'scheme' must be one of: credential, standard-webhooks, stripe, github."));
    }

    private static PayloadFormat format(Parameters parameters) {
        return PayloadFormat.ofText(parameters.required(EndpointForm.FORMAT))
                .orElseThrow(() -> ConsoleException.badRequest("'format' must be one of: raw, envelope."));
    }

    private static EndpointRegistration withHeader(EndpointRegistration registration, String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw ConsoleException.badRequest("Each line of 'headers' must have a name, a colon and a value.");
        }
        return registration.header(
                line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
}
