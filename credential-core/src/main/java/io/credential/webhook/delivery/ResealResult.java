package io.credential.webhook.delivery;

/**
 * What came of resealing.
 *
 * @param examined how many endpoints there were
 * @param resealed how many of their secrets were written anew
 * @since 0.1.0
 */
public record ResealResult(int examined, int resealed) {}
