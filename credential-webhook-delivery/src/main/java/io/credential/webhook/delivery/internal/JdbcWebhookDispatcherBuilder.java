package io.credential.webhook.delivery.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditThread;
import io.credential.audit.internal.AuditTrail;
import io.credential.internal.notification.NodeNotifications;
import io.credential.observation.CredentialObservation;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Builds a {@link JdbcWebhookDispatcher}. Every method rejects null, and {@link #build()} other invalid values, with {@code
 * webhook-dispatcher/bad-opts}. Not thread-safe.
 */
public final class JdbcWebhookDispatcherBuilder {

    final CredentialDatabase database;
    final Keyring keyring;
    String endpointsTable = DispatcherTables.DEFAULT_ENDPOINTS;
    String deliveriesTable = DispatcherTables.DEFAULT_DELIVERIES;
    int maxAttempts = DispatcherOption.MAX_ATTEMPTS.defaultValue();
    RetryBackoff retryBackoff = RetryBackoff.defaults();
    Duration claimReclaimAfter = DispatcherOption.CLAIM_RECLAIM_AFTER.defaultValue();
    int batchSize = DispatcherOption.BATCH_SIZE.defaultValue();
    Duration requestTimeout = DispatcherOption.REQUEST_TIMEOUT.defaultValue();
    Duration dispatchWait = DispatcherOption.DISPATCH_WAIT.defaultValue();
    int maxInFlight = DispatcherOption.MAX_IN_FLIGHT.defaultValue();
    int maxInFlightPerEndpoint = DispatcherOption.MAX_IN_FLIGHT_PER_ENDPOINT.defaultValue();
    long maxInFlightBytes = DispatcherOption.MAX_IN_FLIGHT_BYTES.defaultValue();
    boolean requireAudience;
    int maxPayloadBytes = DispatcherOption.MAX_PAYLOAD_SIZE.defaultValue();
    Duration retention = DispatcherOption.RETENTION.defaultValue();
    Duration payloadRetention = DispatcherOption.PAYLOAD_RETENTION.defaultValue();
    Duration pauseAfter = DispatcherOption.PAUSE_AFTER.defaultValue();
    Duration secretOverlap = DispatcherOption.SECRET_OVERLAP.defaultValue();
    RequestHeaders requestHeaders = RequestHeaders.defaults();
    String signatureHeader = WebhookSigner.DEFAULT_HEADER;
    DestinationPolicy destinationPolicy = DestinationPolicy.builder().build();
    HostResolver hostResolver = HostResolver.system();

    @Nullable WebhookTransport transport;

    WebhookEventCatalog eventCatalog = WebhookEventCatalog.empty();
    InstantSource clock = InstantSource.system();
    SecureRandom random = new SecureRandom();
    NodeNotifications notifications = NodeNotifications.none();
    AuditSink auditSink = AuditSink.none();
    ObservationRegistry observations = ObservationRegistry.NOOP;
    AuditCaller actor = () -> null;
    boolean allowPlainSealMigration;
    boolean operationalEvents;

    JdbcWebhookDispatcherBuilder(CredentialDatabase database, Keyring keyring) {
        this.database = DispatcherRules.require("database", database);
        this.keyring = DispatcherRules.require("keyring", keyring);
    }

    /**
     * The table of endpoints, {@code [A-Za-z_][A-Za-z0-9_]{0,62}}; the name of the table of subscriptions derives from it.
     * Default: {@code _credential_webhook_endpoints}.
     */
    public JdbcWebhookDispatcherBuilder endpointsTable(String name) {
        this.endpointsTable = DispatcherRules.require("endpointsTable", name);
        return this;
    }

    /**
     * The table of deliveries, {@code [A-Za-z_][A-Za-z0-9_]{0,62}}; the names of the tables of events, attempts, jobs,
     * statistics and the schema history derive from it. Default: {@code _credential_webhook_deliveries}.
     */
    public JdbcWebhookDispatcherBuilder deliveriesTable(String name) {
        this.deliveriesTable = DispatcherRules.require("deliveriesTable", name);
        return this;
    }

    /** How often a delivery is attempted before it is dead, 1 to 1000; default: 8. */
    public JdbcWebhookDispatcherBuilder maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return this;
    }

    /** How long to wait between attempts; default: {@link RetryBackoff#defaults()}. */
    public JdbcWebhookDispatcherBuilder retryBackoff(RetryBackoff backoff) {
        this.retryBackoff = DispatcherRules.require("retryBackoff", backoff);
        return this;
    }

    /** The age at which a claim is given up and taken over; at least twice the request timeout; default: 5 minutes. */
    public JdbcWebhookDispatcherBuilder claimReclaimAfter(Duration duration) {
        this.claimReclaimAfter = DispatcherRules.require("claimReclaimAfter", duration);
        return this;
    }

    /** How many deliveries are claimed at once, 1 to 1000; default: 100. */
    public JdbcWebhookDispatcherBuilder batchSize(int deliveries) {
        this.batchSize = deliveries;
        return this;
    }

    /** The limit for one attempt, including DNS, connect, TLS, headers and body, 100 ms to 1 h; default: 15 s. */
    public JdbcWebhookDispatcherBuilder requestTimeout(Duration timeout) {
        this.requestTimeout = DispatcherRules.require("requestTimeout", timeout);
        return this;
    }

    /**
     * How long {@code dispatch} outside a transaction waits for the outcomes of its attempts, 1 ms to 1 h; running attempts
     * then continue in the background. Default: 2 s.
     */
    public JdbcWebhookDispatcherBuilder dispatchWait(Duration wait) {
        this.dispatchWait = DispatcherRules.require("dispatchWait", wait);
        return this;
    }

    /** How many attempts run at once, 1 to 10000; default: 256. */
    public JdbcWebhookDispatcherBuilder maxInFlight(int attempts) {
        this.maxInFlight = attempts;
        return this;
    }

    /** How many attempts of one endpoint run at once, at least 1; default: 16. {@link #maxInFlight} limits it further. */
    public JdbcWebhookDispatcherBuilder maxInFlightPerEndpoint(int attempts) {
        this.maxInFlightPerEndpoint = attempts;
        return this;
    }

    /**
     * How many bytes of payloads and envelopes are held in memory for claimed deliveries and running attempts, at least
     * 1; default: 64 MiB. A larger payload is sent while no other large one is.
     */
    public JdbcWebhookDispatcherBuilder maxInFlightBytes(long bytes) {
        this.maxInFlightBytes = bytes;
        return this;
    }

    /**
     * Whether every dispatch that names no audience is rejected, including those to every audience. Default: false; a
     * dispatch without an audience is then rejected only if it would reach an endpoint that has one.
     */
    public JdbcWebhookDispatcherBuilder requireAudience(boolean required) {
        this.requireAudience = required;
        return this;
    }

    /** The largest payload in bytes, at least 1; default: 1 MiB. */
    public JdbcWebhookDispatcherBuilder maxPayloadSize(int bytes) {
        this.maxPayloadBytes = bytes;
        return this;
    }

    /** How long successful deliveries are kept, at least 1 ms; default: 30 days. */
    public JdbcWebhookDispatcherBuilder retention(Duration duration) {
        this.retention = DispatcherRules.require("retention", duration);
        return this;
    }

    /**
     * How long payloads are kept, up to 36500 days; afterwards they are erased, and the deliveries stay in the log without them.
     * Zero, the default, to keep them as long as their deliveries. Deliveries that are pending keep their payload.
     */
    public JdbcWebhookDispatcherBuilder payloadRetention(Duration duration) {
        this.payloadRetention = DispatcherRules.require("payloadRetention", duration);
        return this;
    }

    /**
     * How long all attempts to an endpoint must fail before the endpoint is paused, 1 minute to 365 days; zero to never
     * pause it because it fails; 410 Gone always pauses it. Default: 5 days.
     */
    public JdbcWebhookDispatcherBuilder pauseAfter(Duration duration) {
        this.pauseAfter = DispatcherRules.require("pauseAfter", duration);
        return this;
    }

    /**
     * How long requests are signed with the old secret too after the secret of an endpoint was replaced, at most 7 days; zero
     * to stop at once. Default: 24 hours.
     */
    public JdbcWebhookDispatcherBuilder secretOverlap(Duration duration) {
        this.secretOverlap = DispatcherRules.require("secretOverlap", duration);
        return this;
    }

    /** The header that carries the signature; default: {@code Webhook-Signature}. */
    public JdbcWebhookDispatcherBuilder signatureHeader(String name) {
        this.signatureHeader = DispatcherRules.require("signatureHeader", name);
        return this;
    }

    /**
     * The names of the headers that describe a delivery, and the {@code User-Agent}. A name is an HTTP token of 1 to 128
     * characters, or empty to leave the header out; no two are equal, and none is that of another header of a webhook.
     * Default: {@link RequestHeaders#defaults()}.
     */
    public JdbcWebhookDispatcherBuilder requestHeaders(RequestHeaders headers) {
        this.requestHeaders = DispatcherRules.require("requestHeaders", headers);
        return this;
    }

    /** Decides where webhooks may be sent; default: to public addresses over HTTP and HTTPS. */
    public JdbcWebhookDispatcherBuilder destinationPolicy(DestinationPolicy policy) {
        this.destinationPolicy = DispatcherRules.require("destinationPolicy", policy);
        return this;
    }

    /** Looks up host names; default: the operating system. */
    public JdbcWebhookDispatcherBuilder hostResolver(HostResolver resolver) {
        this.hostResolver = DispatcherRules.require("hostResolver", resolver);
        return this;
    }

    /**
     * Sends the requests. The caller must close it, after the dispatcher. Default: an internal HTTP transport, which has no
     * threads before the first attempt.
     */
    public JdbcWebhookDispatcherBuilder transport(WebhookTransport transport) {
        this.transport = DispatcherRules.require("transport", transport);
        return this;
    }

    /** The typed events that can be dispatched; default: none. */
    public JdbcWebhookDispatcherBuilder eventCatalog(WebhookEventCatalog catalog) {
        this.eventCatalog = DispatcherRules.require("eventCatalog", catalog);
        return this;
    }

    /** Determines when deliveries are due, and the time of signatures; default: the system clock. */
    public JdbcWebhookDispatcherBuilder clock(InstantSource clock) {
        this.clock = DispatcherRules.require("clock", clock);
        return this;
    }

    /** The source of randomness for seals, secrets, ids, tokens and jitter; default: {@code new SecureRandom()}. */
    public JdbcWebhookDispatcherBuilder random(SecureRandom random) {
        this.random = DispatcherRules.require("random", random);
        return this;
    }

    /**
     * Tells other nodes of due deliveries that this node cannot attempt at once, and is told of theirs; default: {@link
     * NodeNotifications#none()}, so that nodes find deliveries of others only when they are polled.
     */
    public JdbcWebhookDispatcherBuilder notifications(NodeNotifications notifications) {
        this.notifications = DispatcherRules.require("notifications", notifications);
        return this;
    }

    /**
     * Receives the audit events of endpoints and dead deliveries; default: none. Deliveries that become dead in the
     * background are reported by a separate thread.
     */
    public JdbcWebhookDispatcherBuilder auditSink(AuditSink sink) {
        this.auditSink = DispatcherRules.require("auditSink", sink);
        return this;
    }

    /**
     * Observes dispatches, attempts, requests, stored outcomes and retry rounds as {@link CredentialObservation}s. With
     * tracing, an attempt continues the trace of the dispatch, and its request carries {@code traceparent}. Default: nothing
     * is observed.
     */
    public JdbcWebhookDispatcherBuilder observationRegistry(ObservationRegistry observations) {
        this.observations = DispatcherRules.require("observationRegistry", observations);
        return this;
    }

    /** Supplies the actor on the calling thread for the audit trail; by default, it is unknown. */
    public JdbcWebhookDispatcherBuilder actor(AuditCaller actor) {
        this.actor = DispatcherRules.require("actor", actor);
        return this;
    }

    /** Whether secrets in the plain form are read, so that they can be resealed; default: false. */
    public JdbcWebhookDispatcherBuilder allowPlainSealMigration(boolean allow) {
        this.allowPlainSealMigration = allow;
        return this;
    }

    /**
     * Whether paused endpoints, dead deliveries and what is {@linkplain JdbcWebhookDispatcher#raise raised} otherwise are sent to
     * the endpoints without an audience that list the types of these {@link OperationalEvent}s; default: false.
     */
    public JdbcWebhookDispatcherBuilder operationalEvents(boolean enabled) {
        this.operationalEvents = enabled;
        return this;
    }

    /**
     * Returns the dispatcher; its background work is not started.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an option is out of range
     */
    public JdbcWebhookDispatcher build() {
        return new JdbcWebhookDispatcher(this);
    }

    DispatcherOptions options() {
        return new DispatcherOptions(
                maxAttempts,
                retryBackoff,
                claimReclaimAfter,
                batchSize,
                requestTimeout,
                dispatchWait,
                maxInFlight,
                maxInFlightPerEndpoint,
                maxInFlightBytes,
                maxPayloadBytes,
                requireAudience,
                retention,
                payloadRetention,
                pauseAfter,
                secretOverlap,
                requestHeaders);
    }

    AuditTrail auditTrail(String resourceKind) {
        return auditTrail(resourceKind, auditSink);
    }

    /** Returns a trail that calls the sink on another thread. */
    AuditTrail auditTrail(String resourceKind, AuditThread thread) {
        return auditTrail(resourceKind, thread.inFrontOf(auditSink));
    }

    private AuditTrail auditTrail(String resourceKind, AuditSink sink) {
        return new AuditTrail(sink, actor, clock, resourceKind, true, true);
    }
}
