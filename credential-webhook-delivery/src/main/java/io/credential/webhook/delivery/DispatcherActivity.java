package io.credential.webhook.delivery;

import java.time.Duration;

/**
 * The activity of the dispatcher on this node.
 *
 * @param started whether due deliveries are attempted in the background
 * @param sinceLastSuccess the time since a claim of the background work last succeeded, whether or not anything was due, or
 *     since its start; at most about 15 seconds while the database responds
 * @param running how many attempts run
 * @param waiting how many claimed deliveries wait for their attempt
 * @param settling how many outcomes are not stored yet
 * @since 0.1.0
 */
public record DispatcherActivity(boolean started, Duration sinceLastSuccess, int running, int waiting, int settling) {}
