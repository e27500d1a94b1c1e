package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditSink;
import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

/**
 * The dispatcher over a database. Nothing runs in the background before {@link #start()}; {@link #processRetries()}
 * works without it. Close it to let attempts under way finish and to give back what it has claimed. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcWebhookDispatcher implements WebhookDispatcher, AutoCloseable {

    private JdbcWebhookDispatcher(Builder builder) {
        DispatcherOptions.of(builder);
    }

    /**
     * @param database with the tables of {@link io.credential.storage.SchemaMigrator}; {@link #declareSchema()} makes
     *     the dispatcher's own
     * @param keyring seals the secrets of endpoints
     */
    public static Builder builder(CredentialDatabase database, Keyring keyring) {
        return new Builder(database, keyring);
    }

    @Override
    public void declareSchema() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Endpoint registerEndpoint(EndpointRegistration registration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean removeEndpoint(String endpointId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Endpoint> listEndpoints() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DispatchResult dispatch(String eventType, Object payload, DispatchOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DispatchResult enqueue(String eventType, Object payload, DispatchOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RetryResult processRetries() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResealResult resealSecrets() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Deliveries deliveries() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DeadLetters dlq() {
        throw new UnsupportedOperationException();
    }

    /** Starts the background work: due deliveries are attempted, old ones removed. Does nothing when it runs. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /**
     * Removes deliveries, with their attempts and events, that were delivered longer ago than the retention. The
     * background work does so every hour.
     *
     * @return how many deliveries were removed
     */
    public int removeExpired() {
        throw new UnsupportedOperationException();
    }

    /** Closes with a grace of ten seconds. */
    @Override
    public void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Claims nothing more, lets attempts under way finish for a while, then ends them; what was claimed and not
     * attempted to the end is released. Nothing can be dispatched afterwards.
     */
    public void close(Duration grace) {
        throw new UnsupportedOperationException();
    }

    /** Collects the options; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder {

        final CredentialDatabase database;
        final Keyring keyring;
        String endpointsTable = DispatcherTables.DEFAULT_ENDPOINTS;
        String deliveriesTable = DispatcherTables.DEFAULT_DELIVERIES;
        int maxAttempts = 8;
        RetryBackoff retryBackoff = RetryBackoff.defaults();
        Duration claimReclaimAfter = Duration.ofMinutes(5);
        int batchSize = 100;
        Duration pollInterval = Duration.ofSeconds(1);
        Duration requestTimeout = Duration.ofSeconds(15);
        int maxInFlight = 256;
        int maxInFlightPerEndpoint = 16;
        int maxPayloadBytes = 1024 * 1024;
        Duration retention = Duration.ofDays(30);
        String signatureHeader = "Webhook-Signature";
        DestinationPolicy destinationPolicy = DestinationPolicy.builder().build();
        HostResolver hostResolver = HostResolver.system();

        @Nullable WebhookTransport transport;

        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        AuditSink auditSink = AuditSink.none();
        Supplier<@Nullable String> actor = () -> null;
        boolean allowPlainSealMigration;

        private Builder(CredentialDatabase database, Keyring keyring) {
            this.database = database;
            this.keyring = keyring;
        }

        /** The table of endpoints; that of subscriptions is named after it. Default: {@code _credential_webhook_endpoints}. */
        public Builder endpointsTable(String name) {
            this.endpointsTable = name;
            return this;
        }

        /** The table of deliveries; those of events and attempts are named after it. Default: {@code _credential_webhook_deliveries}. */
        public Builder deliveriesTable(String name) {
            this.deliveriesTable = name;
            return this;
        }

        /** How often a delivery is attempted before it is dead; default: 8. */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** How long to wait between attempts; default: {@link RetryBackoff#defaults()}. */
        public Builder retryBackoff(RetryBackoff backoff) {
            this.retryBackoff = backoff;
            return this;
        }

        /** When a claim counts as left behind; at least twice the request time-out; default: 5 minutes. */
        public Builder claimReclaimAfter(Duration duration) {
            this.claimReclaimAfter = duration;
            return this;
        }

        /** How many deliveries are claimed at once, 1 to 1000; default: 100. */
        public Builder batchSize(int deliveries) {
            this.batchSize = deliveries;
            return this;
        }

        /** How often the background work looks for due deliveries; default: every second. */
        public Builder pollInterval(Duration interval) {
            this.pollInterval = interval;
            return this;
        }

        /** For DNS, connect, TLS, headers and body of one attempt together; default: 15 s. */
        public Builder requestTimeout(Duration timeout) {
            this.requestTimeout = timeout;
            return this;
        }

        /** How many attempts are under way at once; default: 256. */
        public Builder maxInFlight(int attempts) {
            this.maxInFlight = attempts;
            return this;
        }

        /** How many of them go to one endpoint; default: 16, or {@link #maxInFlight} if that is less. */
        public Builder maxInFlightPerEndpoint(int attempts) {
            this.maxInFlightPerEndpoint = attempts;
            return this;
        }

        /** The longest payload in bytes; default: 1 MiB. */
        public Builder maxPayloadSize(int bytes) {
            this.maxPayloadBytes = bytes;
            return this;
        }

        /** How long delivered deliveries are kept; default: 30 days. */
        public Builder retention(Duration duration) {
            this.retention = duration;
            return this;
        }

        /** The header that carries the signature; default: {@code Webhook-Signature}. */
        public Builder signatureHeader(String name) {
            this.signatureHeader = name;
            return this;
        }

        /** Where webhooks may go; default: public addresses by HTTP and HTTPS. */
        public Builder destinationPolicy(DestinationPolicy policy) {
            this.destinationPolicy = policy;
            return this;
        }

        /** Looks up host names; default: the operating system. */
        public Builder hostResolver(HostResolver resolver) {
            this.hostResolver = resolver;
            return this;
        }

        /**
         * Sends; stays the caller's to close, after the dispatcher. Default: an HTTP transport of the dispatcher's own,
         * made at the first attempt.
         */
        public Builder transport(WebhookTransport transport) {
            this.transport = transport;
            return this;
        }

        /** Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** Default: the platform's. */
        public Builder random(SecureRandom random) {
            this.random = random;
            return this;
        }

        /** Hears of endpoints and of dead deliveries; default: none. */
        public Builder auditSink(AuditSink sink) {
            this.auditSink = sink;
            return this;
        }

        /** Names who is acting on the calling thread, for the audit trail; default: nobody known. */
        public Builder actor(Supplier<@Nullable String> actor) {
            this.actor = actor;
            return this;
        }

        /** Opens the window in which secrets of the plain form are read, to reseal them; default: closed. */
        public Builder allowPlainSealMigration(boolean allow) {
            this.allowPlainSealMigration = allow;
            return this;
        }

        /**
         * The dispatcher; its background work is not started.
         *
         * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when an option is out of range
         */
        public JdbcWebhookDispatcher build() {
            return new JdbcWebhookDispatcher(this);
        }
    }
}
