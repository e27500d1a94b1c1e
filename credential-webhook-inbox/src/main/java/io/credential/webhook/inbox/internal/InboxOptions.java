package io.credential.webhook.inbox.internal;

import java.time.Duration;

/**
 * How stored webhooks are processed.
 *
 * @param threads how many are processed at once on this node; on SQLite, always one
 * @param maxAttempts after how many failed attempts a webhook is dead
 * @param pause after the first attempt; doubled after each
 * @param maxPause the longest pause
 * @param retention how long webhooks that were processed, or are dead, are remembered
 */
public record InboxOptions(int threads, int maxAttempts, Duration pause, Duration maxPause, Duration retention) {

    /** Returns the pause after a failed attempt, in milliseconds. */
    long pauseMillis(int attempt) {
        double pauseMillis = pause.toMillis() * Math.pow(2, attempt - 1.0);
        return (long) Math.min((double) maxPause.toMillis(), pauseMillis);
    }
}
