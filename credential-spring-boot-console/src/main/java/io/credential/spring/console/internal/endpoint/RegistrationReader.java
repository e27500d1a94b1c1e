package io.credential.spring.console.internal.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.storage.internal.JsonText;
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
                .audience(endpoint.audience());
        return withOptions(
                parameters.isTicked("drop-headers") ? registration : registration.keepingHeaders(), parameters);
    }

    private static List<String> eventTypes(Parameters parameters) {
        List<String> types = new ArrayList<>(parameters.all(EndpointForm.TICKED));
        types.addAll(parameters.lines(EndpointForm.TYPES));
        return types;
    }

    private static EndpointRegistration withOptions(EndpointRegistration registration, Parameters parameters) {
        EndpointRegistration changed = registration
                .scheme(scheme(parameters))
                .signatureHeader(parameters.text(EndpointForm.SIGNATURE_HEADER).orElse(null))
                .payloadFormat(format(parameters))
                .name(parameters.text(EndpointForm.NAME).orElse(null));
        Optional<String> metadata = parameters.text(EndpointForm.METADATA);
        if (metadata.isPresent()) {
            changed = withMetadata(changed, metadata.get());
        }
        for (String line : parameters.lines("headers")) {
            changed = withHeader(changed, line);
        }
        return withRateLimit(changed, parameters);
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

    private static EndpointRegistration withMetadata(EndpointRegistration registration, String json) {
        try {
            return registration.metadata(JsonText.readObject(json));
        } catch (IllegalArgumentException e) {
            throw ConsoleException.badRequest("'metadata' must be a JSON object, for example {\"contract\": 4711}.");
        }
    }

    private static EndpointRegistration withHeader(EndpointRegistration registration, String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw ConsoleException.badRequest("Each line of 'headers' must have a name, a colon and a value.");
        }
        return registration.header(
                line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }

    private static EndpointRegistration withRateLimit(EndpointRegistration registration, Parameters parameters) {
        Optional<Long> limit = parameters.number(EndpointForm.LIMIT);
        Optional<Long> seconds = parameters.number(EndpointForm.WINDOW);
        if (limit.isPresent() != seconds.isPresent()) {
            throw ConsoleException.badRequest("'limit' and 'window' must be given together, or both be empty.");
        }
        return limit.isEmpty()
                ? registration
                : registration.rateLimit(
                        (int) Math.min(limit.get(), Integer.MAX_VALUE), Duration.ofSeconds(seconds.orElseThrow()));
    }
}
