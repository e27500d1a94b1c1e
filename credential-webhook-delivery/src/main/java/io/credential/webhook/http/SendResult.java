package io.credential.webhook.http;

import java.time.Duration;

/**
 * A webhook was accepted by its receiver.
 *
 * @param status the status of the accepted attempt, 200 to 299
 * @param attempts the number of requests, at least 1
 * @param duration from the call to the response, including the pauses between attempts
 * @since 0.1.0
 */
public record SendResult(int status, int attempts, Duration duration) {}
