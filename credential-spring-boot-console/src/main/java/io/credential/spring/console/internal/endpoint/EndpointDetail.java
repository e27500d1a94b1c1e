package io.credential.spring.console.internal.endpoint;

import java.time.Duration;

import io.credential.spring.console.internal.web.Formats;
import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointStatistics;

/**
 * An endpoint as an operator may see it.
 *
 * @param url as the operator may see it
 * @param overlap how long the previous secret signs too after a rotation, by default
 * @param statistics its attempts of the last 24 hours, and when it last succeeded
 * @param open how many deliveries are pending or in flight, up to {@link #MAX_OPEN}
 */
public record EndpointDetail(Endpoint endpoint, String url, Duration overlap, EndpointStatistics statistics, int open) {

    /** Where the count of open deliveries stops. */
    static final int MAX_OPEN = 10_000;

    /** Returns how many deliveries are pending or in flight, as text. */
    public String backlog() {
        return (open < MAX_OPEN ? "" : "at least ") + Formats.count(open);
    }

    /** Returns the metadata as JSON. */
    public String metadata() {
        return JsonText.write(endpoint.metadata());
    }
}
