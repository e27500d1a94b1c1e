package io.credential.spring.autoconfigure.properties;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the inbox, which processes each incoming webhook once. Immutable.
 *
 * @param enabled Whether there is a WebhookInbox; it is also there if a sender has 'store-first'.
 * @param retention How long the ids of processed webhooks, and dead webhooks, are kept.
 * @param threads How many stored webhooks a node processes at once, 1 to 64; each holds a connection. On SQLite always 1.
 * @param maxAttempts Maximum number of attempts to process a stored webhook before it is dead, 1 to 1000.
 * @param retryBackoff Pauses between attempts to process a stored webhook.
 * @since 0.1.0
 */
@ConfigurationProperties("credential.webhook.inbox")
public record WebhookInboxProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30d") Duration retention,
        @DefaultValue("4") int threads,
        @DefaultValue("8") int maxAttempts,
        @DefaultValue RetryBackoff retryBackoff) {

    private static final String PREFIX = "credential.webhook.inbox.";
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final int MAX_THREADS = 64;
    private static final int MAX_ATTEMPTS = 1000;

    public WebhookInboxProperties {
        requireDuration("retention", retention);
        PropertyRules.require(
                threads >= 1 && threads <= MAX_THREADS, PREFIX + "threads", threads, "It must be 1 to 64.");
        PropertyRules.require(
                maxAttempts >= 1 && maxAttempts <= MAX_ATTEMPTS,
                PREFIX + "max-attempts",
                maxAttempts,
                "It must be 1 to 1000.");
    }

    /**
     * The pauses between attempts; each is twice as long as the one before.
     *
     * @param initial Pause after the first attempt to process a stored webhook.
     * @param max Maximum pause between attempts to process a stored webhook.
     */
    public record RetryBackoff(
            @DefaultValue("5s") Duration initial,
            @DefaultValue("60m") Duration max) {

        public RetryBackoff {
            requireDuration("retry-backoff.initial", initial);
            requireDuration("retry-backoff.max", max);
            PropertyRules.require(
                    max.compareTo(initial) >= 0,
                    PREFIX + "retry-backoff.max",
                    max,
                    "It must not be shorter than retry-backoff.initial.");
        }
    }

    private static void requireDuration(String name, Duration value) {
        PropertyRules.require(
                value.toMillis() > 0 && value.compareTo(LONGEST) <= 0,
                PREFIX + name,
                value,
                "It must be 1 ms to 36500 days.");
    }
}
