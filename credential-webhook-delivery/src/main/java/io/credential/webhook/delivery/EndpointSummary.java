package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How attempts for an endpoint ended in the last 24 hours.
 *
 * @param lastSuccessAt when it last accepted a webhook, also if that was earlier; null if it never did
 * @param failingSince when the first attempt failed after the last one that was accepted, also if that was earlier; null if
 *     the last attempt was accepted or there was none. If several nodes make attempts, it can be late by the seconds until
 *     they have written what they counted. Unlike the time that {@code pause-after} is measured from, it is also recorded for
 *     short outages, and if endpoints are never paused
 * @param accepted how many attempts it accepted
 * @param failed how many attempts failed, including the last ones of dead deliveries
 * @param dead how many deliveries died, with or without an attempt
 * @since 0.1.0
 */
public record EndpointSummary(
        @Nullable Instant lastSuccessAt, @Nullable Instant failingSince, long accepted, long failed, long dead) {}
