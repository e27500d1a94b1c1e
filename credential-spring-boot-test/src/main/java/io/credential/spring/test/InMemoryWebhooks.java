package io.credential.spring.test;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.http.DestinationPolicy;

/**
 * A dispatcher for tests without Spring. It is the real one, on a temporary SQLite file with a keyring that exists only
 * in memory, and may also send to the loopback address. It attempts deliveries in the background; with a clock that a
 * test moves, call {@link WebhookDispatcher#processRetries()} afterwards. {@code dispatch} waits for the outcomes of its
 * attempts, up to a minute. Closing cancels running attempts and deletes the file. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryWebhooks implements AutoCloseable {

    /** Longer than any attempt takes: the result of a dispatch does not depend on the speed of the machine. */
    private static final Duration DISPATCH_WAIT = Duration.ofMinutes(1);

    private final TemporaryDatabase temporary;
    private final JdbcWebhookDispatcher dispatcher;

    private InMemoryWebhooks(TemporaryDatabase temporary, JdbcWebhookDispatcher dispatcher) {
        this.temporary = temporary;
        this.dispatcher = dispatcher;
    }

    /** Returns a dispatcher with default options. */
    public static InMemoryWebhooks create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the dispatcher. */
    public WebhookDispatcher dispatcher() {
        return dispatcher;
    }

    /** Cancels running attempts, and deletes all endpoints and deliveries. */
    @Override
    public void close() {
        try (temporary) {
            dispatcher.close(Duration.ZERO);
        }
    }

    /** Collects the options. Not thread-safe. */
    public static final class Builder {

        private InstantSource clock = InstantSource.system();
        private AuditSink auditSink = AuditSink.none();
        private RetryBackoff retryBackoff = RetryBackoff.defaults();
        private int maxAttempts = 8;
        private WebhookEventCatalog eventCatalog = WebhookEventCatalog.empty();

        private Builder() {}

        /** Sets the clock of due times and signatures. Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** Sets the receiver of audit events. Default: none. */
        public Builder auditSink(AuditSink auditSink) {
            this.auditSink = auditSink;
            return this;
        }

        /** Sets the pauses between attempts. Default: {@link RetryBackoff#defaults()}. */
        public Builder retryBackoff(RetryBackoff retryBackoff) {
            this.retryBackoff = retryBackoff;
            return this;
        }

        /** Sets how often a delivery is attempted before it is dead, 1 to 1000. Default: 8. */
        public Builder maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return this;
        }

        /** Sets the typed events that can be dispatched. Default: none. */
        public Builder eventCatalog(WebhookEventCatalog eventCatalog) {
            this.eventCatalog = eventCatalog;
            return this;
        }

        /**
         * @throws io.credential.webhook.delivery.WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an
         *     option is out of range
         */
        public InMemoryWebhooks build() {
            SecureRandom random = new SecureRandom();
            TemporaryDatabase temporary = new TemporaryDatabase();
            try {
                JdbcWebhookDispatcherBuilder builder = JdbcWebhookDispatcher.builder(
                                CredentialDatabase.of(temporary.dataSource()), Keyring.generate(random))
                        .random(random)
                        .clock(clock)
                        .auditSink(auditSink)
                        .retryBackoff(retryBackoff)
                        .maxAttempts(maxAttempts)
                        .eventCatalog(eventCatalog)
                        .dispatchWait(DISPATCH_WAIT)
                        .destinationPolicy(DestinationPolicy.builder()
                                .allowedCidrs(List.of("127.0.0.0/8", "::1/128"))
                                .build());
                return new InMemoryWebhooks(temporary, started(builder.build()));
            } catch (RuntimeException e) {
                temporary.close();
                throw e;
            }
        }

        private static JdbcWebhookDispatcher started(JdbcWebhookDispatcher dispatcher) {
            try {
                dispatcher.declareSchema();
                dispatcher.start();
                return dispatcher;
            } catch (RuntimeException e) {
                dispatcher.close(Duration.ZERO);
                throw e;
            }
        }
    }
}
