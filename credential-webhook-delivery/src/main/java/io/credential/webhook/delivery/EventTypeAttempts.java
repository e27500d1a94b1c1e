package io.credential.webhook.delivery;

/**
 * The attempts of the last 24 hours for events of one type.
 *
 * @param eventType empty for attempts that were counted without their type, because too many endpoints and types were active
 *     at the same time
 * @param accepted how many attempts the endpoint accepted
 * @param failed how many attempts failed, including the last ones of dead deliveries
 * @param dead how many deliveries died, with or without an attempt
 * @since 0.1.0
 */
public record EventTypeAttempts(String eventType, long accepted, long failed, long dead) {}
