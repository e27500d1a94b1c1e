package io.credential.sample;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Registers, lists, tests, pauses, resumes and removes endpoints, and replaces their secrets. */
@RestController
@RequestMapping("/endpoints")
@RequiresScope("webhooks:admin")
class EndpointController {

    private final WebhookDispatcher dispatcher;

    EndpointController(WebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Endpoint register(@RequestBody NewEndpoint endpoint) {
        return dispatcher.registerEndpoint(endpoint.toRegistration());
    }

    @GetMapping
    List<Endpoint> list() {
        return dispatcher.listEndpoints();
    }

    @PostMapping("/{id}/pause")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void pause(@PathVariable String id) {
        requireFound(dispatcher.pauseEndpoint(id));
    }

    @PostMapping("/{id}/resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void resume(@PathVariable String id) {
        requireFound(dispatcher.resumeEndpoint(id));
    }

    @PostMapping("/{id}/rotate-secret")
    RotatedSecret rotateSecret(@PathVariable String id, @RequestBody(required = false) @Nullable NewSecret given) {
        String secret = given == null ? null : given.secret();
        Endpoint endpoint =
                dispatcher.rotateSecret(id, secret == null ? SecretRotation.generated() : SecretRotation.to(secret));
        return new RotatedSecret(Objects.requireNonNull(secret == null ? endpoint.secret() : secret), endpoint.kid());
    }

    @PostMapping("/{id}/test")
    Delivery test(@PathVariable String id) {
        return dispatcher.sendTestEvent(id);
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable String id) {
        requireFound(dispatcher.removeEndpoint(id));
    }

    private static void requireFound(boolean found) {
        if (!found) {
            throw new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, "No endpoint has this id");
        }
    }

    /** Null to generate a secret. {@code toString} does not show it. */
    record NewSecret(@Nullable String secret) {

        @Override
        public String toString() {
            return "NewSecret";
        }
    }

    /** {@code toString} does not show the secret. */
    record RotatedSecret(String secret, String kid) {

        @Override
        public String toString() {
            return "RotatedSecret[" + kid + "]";
        }
    }

    /** {@code toString} does not show the secret and the headers. The dispatcher rejects other missing values. */
    record NewEndpoint(
            @Nullable String endpointId,
            @Nullable String url,
            @Nullable List<String> eventTypes,
            @Nullable String secret,
            @Nullable String audience,
            @Nullable String scheme,
            @Nullable String signatureHeader,
            @Nullable String payloadFormat,
            @Nullable String name,
            @Nullable Map<String, Object> metadata,
            @Nullable Map<String, String> headers,
            @Nullable NewRateLimit rateLimit) {

        EndpointRegistration toRegistration() {
            EndpointRegistration registration = (secret == null
                            ? EndpointRegistration.withGeneratedSecret(endpointId, url, eventTypes)
                            : EndpointRegistration.of(endpointId, url, eventTypes, secret))
                    .audience(audience)
                    .signatureHeader(signatureHeader)
                    .name(name);
            if (scheme != null) {
                registration = registration.scheme(scheme(scheme));
            }
            if (payloadFormat != null) {
                registration = registration.payloadFormat(format(payloadFormat));
            }
            if (metadata != null) {
                registration = registration.metadata(metadata);
            }
            if (headers != null) {
                for (Map.Entry<String, String> header : headers.entrySet()) {
                    registration = registration.header(header.getKey(), header.getValue());
                }
            }
            return rateLimit == null ? registration : rateLimit.addTo(registration);
        }

        private static SignatureScheme scheme(String text) {
            return SignatureScheme.ofText(text)
                    .orElseThrow(() -> new WebhookDispatcherException(
                            WebhookDispatcherErrorCode.BAD_OPTS,
                            "scheme must be one of: credential, standard-webhooks, stripe, github"));
        }

        private static PayloadFormat format(String text) {
            return PayloadFormat.ofText(text)
                    .orElseThrow(() -> new WebhookDispatcherException(
                            WebhookDispatcherErrorCode.BAD_OPTS, "payloadFormat must be one of: raw, envelope"));
        }

        @Override
        public String toString() {
            return "NewEndpoint[" + endpointId + ", " + eventTypes + "]";
        }
    }

    /** Both values are required. */
    record NewRateLimit(@Nullable Integer limit, @Nullable Long windowSeconds) {

        EndpointRegistration addTo(EndpointRegistration registration) {
            if (limit == null || windowSeconds == null) {
                throw new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.BAD_OPTS,
                        "rateLimit needs limit and windowSeconds, both whole numbers");
            }
            return registration.rateLimit(limit, Duration.ofSeconds(windowSeconds));
        }
    }
}
