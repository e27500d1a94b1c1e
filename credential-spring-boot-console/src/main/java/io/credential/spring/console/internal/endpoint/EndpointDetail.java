package io.credential.spring.console.internal.endpoint;

import java.time.Duration;

import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.Endpoint;

/**
 * An endpoint as an operator may see it.
 *
 * @param url as the operator may see it
 * @param overlap how long the secret before signs too after a rotation, by default
 */
public record EndpointDetail(Endpoint endpoint, String url, Duration overlap) {

    /** Returns the metadata as JSON. */
    public String metadata() {
        return JsonText.write(endpoint.metadata());
    }
}
