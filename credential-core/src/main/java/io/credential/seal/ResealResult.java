package io.credential.seal;

/**
 * The result of a reseal.
 *
 * @param examined how many rows were read
 * @param resealed how many of them were rewritten under the active key
 * @since 0.1.0
 */
public record ResealResult(int examined, int resealed) {}
