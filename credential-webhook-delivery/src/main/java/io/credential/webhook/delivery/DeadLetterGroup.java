package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailureReason;

/**
 * The dead deliveries of one endpoint whose last attempt failed for the same reason.
 *
 * @param endpointId the id of the endpoint, which may have been removed
 * @param reason why the last attempt failed; null for deliveries that became dead without another attempt. Not for tenants
 * @param count how many deliveries there are, 1 or more
 * @param oldestDiedAt when the first of them became dead
 * @param newestDiedAt when the last of them became dead
 * @since 0.1.0
 */
public record DeadLetterGroup(
        String endpointId, @Nullable FailureReason reason, long count, Instant oldestDiedAt, Instant newestDiedAt) {}
