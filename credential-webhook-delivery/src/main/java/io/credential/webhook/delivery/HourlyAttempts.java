package io.credential.webhook.delivery;

import java.time.Instant;

/**
 * The attempts of one hour.
 *
 * @param hour when it began; full hours in UTC
 * @param accepted how many attempts the endpoint accepted
 * @param failed how many attempts failed, including the last ones of dead deliveries
 * @param dead how many deliveries died, with or without an attempt
 * @since 0.1.0
 */
public record HourlyAttempts(Instant hour, long accepted, long failed, long dead) {}
