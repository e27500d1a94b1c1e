package io.credential.spring.autoconfigure.properties;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.internal.DispatcherOption;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.HeaderRules;
import io.credential.webhook.delivery.internal.RequestHeaders;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.internal.HttpWebhookTransport;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Configuration properties of the webhook dispatcher. Immutable.
 *
 * @param enabled Whether to create the webhook dispatcher and its tables.
 * @param maxAttempts Maximum number of attempts before a delivery is dead, 1 to 1000.
 * @param retryBackoff pauses between attempts
 * @param claimReclaimAfter Age at which an unfinished attempt is taken over; at least twice the request timeout, up to 7 days.
 * @param batchSize Maximum number of deliveries that a node claims at once, 1 to 1000.
 * @param pollInterval How often each node polls for due deliveries; after a slow poll, it waits up to 15 seconds.
 * @param requestTimeout Timeout for one attempt, from DNS lookup to the last byte of the response; 100ms to 1 hour.
 * @param dispatchWait How long a dispatch outside a transaction waits for outcomes, up to 1 hour; unfinished attempts
 *     continue in the background.
 * @param maxInFlight Maximum number of concurrent attempts on each node, 1 to 10000.
 * @param maxInFlightPerEndpoint Maximum number of concurrent attempts on each node to one endpoint, 1 to 10000;
 *     'max-in-flight' limits it further.
 * @param maxInFlightBytes Maximum size of all payloads and envelopes that a node holds for attempts; a larger payload
 *     is sent on its own.
 * @param requireAudience Whether every dispatch that names no audience is rejected, including those to every audience.
 * @param signatureHeader Name of the request header that contains the signature.
 * @param headers names of the headers that describe a delivery
 * @param userAgent Value of the request header User-Agent; by default 'credential/' and the version.
 * @param allowedProtocols Allowed URL schemes: https, http or both; also applies to signers.
 * @param allowInternalDestinations Whether internal addresses are allowed, for development and closed networks; also
 *     applies to signers.
 * @param allowedCidrs Allowed ranges of internal addresses, for example '10.20.0.0/16'; also applies to signers.
 * @param proxy Egress proxy in the form 'http://host:port'; also applies to signers; none by default.
 * @param sslBundle Name of the SSL bundle with trusted certificates and the client certificate; by default the JDK's
 *     trust store.
 * @param maxPayloadSize Maximum size of a payload, up to 256MB.
 * @param retention How long successful deliveries are kept.
 * @param payloadRetention How long payloads, request headers and responses are kept; 0 for as long as their delivery.
 * @param pauseAfter How long all attempts to an endpoint must fail before the endpoint is paused, 1 minute to 365 days; 0
 *     to never pause it because it fails. 410 Gone always pauses it.
 * @param secretOverlap How long requests are signed with the old secret too after the secret of an endpoint was replaced,
 *     up to 7 days; 0 to stop at once.
 * @param operationalEvents events about the starter itself
 * @param endpointsTable Table of endpoints; the table of subscriptions is named after it.
 * @param deliveriesTable Table of deliveries; the tables of events, attempts, jobs and statistics are named after it.
 * @since 0.1.0
 */
@ConfigurationProperties("credential.webhook.dispatcher")
public record WebhookDispatcherProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("8") int maxAttempts,
        @DefaultValue Backoff retryBackoff,
        @DefaultValue("5m") Duration claimReclaimAfter,
        @DefaultValue("100") int batchSize,
        @DefaultValue("1s") Duration pollInterval,
        @DefaultValue("15s") Duration requestTimeout,
        @DefaultValue("2s") Duration dispatchWait,
        @DefaultValue("256") int maxInFlight,
        @DefaultValue("16") int maxInFlightPerEndpoint,
        @DefaultValue("64MB") DataSize maxInFlightBytes,
        @DefaultValue("false") boolean requireAudience,
        @DefaultValue(WebhookSigner.DEFAULT_HEADER) String signatureHeader,
        @DefaultValue Headers headers,
        @DefaultValue("") String userAgent,
        @DefaultValue({"https", "http"}) List<String> allowedProtocols,
        @DefaultValue("false") boolean allowInternalDestinations,
        @DefaultValue List<String> allowedCidrs,
        @DefaultValue("") String proxy,
        @DefaultValue("") String sslBundle,
        @DefaultValue("1MB") DataSize maxPayloadSize,
        @DefaultValue("30d") Duration retention,
        @DefaultValue("0") Duration payloadRetention,
        @DefaultValue("5d") Duration pauseAfter,
        @DefaultValue("24h") Duration secretOverlap,
        @DefaultValue OperationalEvents operationalEvents,
        @DefaultValue(DispatcherTables.DEFAULT_ENDPOINTS) String endpointsTable,
        @DefaultValue(DispatcherTables.DEFAULT_DELIVERIES) String deliveriesTable) {

    private static final String PREFIX = "credential.webhook.dispatcher.";
    private static final long MAX_BYTES = DataSize.ofMegabytes(256).toBytes();

    public WebhookDispatcherProperties {
        allowedProtocols = List.copyOf(allowedProtocols);
        allowedCidrs = List.copyOf(allowedCidrs);
        require(DispatcherOption.MAX_ATTEMPTS, maxAttempts);
        require(DispatcherOption.BATCH_SIZE, batchSize);
        require(DispatcherOption.MAX_IN_FLIGHT, maxInFlight);
        require(DispatcherOption.MAX_IN_FLIGHT_PER_ENDPOINT, maxInFlightPerEndpoint);
        requireDuration("poll-interval", pollInterval);
        require(DispatcherOption.REQUEST_TIMEOUT, requestTimeout);
        require(DispatcherOption.DISPATCH_WAIT, dispatchWait);
        require(DispatcherOption.MAX_IN_FLIGHT_BYTES, maxInFlightBytes.toBytes(), maxInFlightBytes);
        require(DispatcherOption.CLAIM_RECLAIM_AFTER, claimReclaimAfter);
        require(DispatcherOption.RETENTION, retention);
        require(DispatcherOption.PAYLOAD_RETENTION, payloadRetention);
        require(DispatcherOption.PAUSE_AFTER, pauseAfter);
        require(DispatcherOption.SECRET_OVERLAP, secretOverlap);
        requireTwoTimeouts(claimReclaimAfter, requestTimeout);
        PropertyRules.require(
                maxPayloadSize.toBytes() >= 1 && maxPayloadSize.toBytes() <= MAX_BYTES,
                PREFIX + "max-payload-size",
                maxPayloadSize,
                "It must be 1B to 256MB.");
        PropertyRules.accepted(PREFIX + "signature-header", signatureHeader, HeaderRules::requireSignatureHeader);
        requireHeaders(headers.toRequestHeaders(userAgent), signatureHeader);
        requireDestinations(allowedProtocols, allowedCidrs);
        requireProxy(proxy);
        operationalEvents.requireWithin(retention);
        requireTables(endpointsTable, deliveriesTable);
    }

    /** Returns what requests carry. */
    public RequestHeaders requestHeaders() {
        return headers.toRequestHeaders(userAgent);
    }

    private static <T> void require(DispatcherOption<T> option, T value) {
        require(option, value, value);
    }

    private static <T> void require(DispatcherOption<T> option, T value, Object shown) {
        PropertyRules.require(
                option.accepts().test(value),
                PREFIX + DataObjectPropertyName.toDashedForm(option.name()),
                shown,
                "It must be " + option.rule() + ".");
    }

    /** These have no option in the builder; their range is that of the retention. */
    private static void requireDuration(String property, Duration value) {
        PropertyRules.require(
                DispatcherOption.RETENTION.accepts().test(value),
                PREFIX + property,
                value,
                "It must be " + DispatcherOption.RETENTION.rule() + ".");
    }

    private static void requireTwoTimeouts(Duration claimReclaimAfter, Duration requestTimeout) {
        PropertyRules.require(
                requestTimeout.multipliedBy(2).compareTo(claimReclaimAfter) <= 0,
                PREFIX + "claim-reclaim-after",
                claimReclaimAfter,
                "It must be at least twice '" + PREFIX + "request-timeout' (" + requestTimeout
                        + "), or other nodes would take over deliveries that are still being attempted.");
    }

    private static void requireHeaders(RequestHeaders headers, String signatureHeader) {
        List<String> others = new ArrayList<>(List.of(signatureHeader));
        headers.byOption()
                .forEach((option, name) -> others.add(PropertyRules.accepted(
                        PREFIX + DataObjectPropertyName.toDashedForm(option),
                        name,
                        given -> HeaderRules.requireDeliveryHeader("The name", given, others))));
        PropertyRules.accepted(
                PREFIX + "user-agent", headers.userAgent(), value -> HeaderRules.requireUserAgent("The value", value));
    }

    private static void requireDestinations(List<String> protocols, List<String> cidrs) {
        PropertyRules.accepted(PREFIX + "allowed-protocols", protocols, DestinationPolicy.builder()::allowedProtocols);
        for (String cidr : cidrs) {
            PropertyRules.accepted(
                    PREFIX + "allowed-cidrs",
                    cidr,
                    range -> DestinationPolicy.builder().allowedCidrs(List.of(range)));
        }
    }

    private static void requireProxy(String proxy) {
        PropertyRules.require(
                proxy.isEmpty() || isProxy(proxy),
                PREFIX + "proxy",
                "***", // it may contain a password
                "It must be 'http://<host>:<port>', without user information or a path.");
    }

    private static boolean isProxy(String url) {
        try {
            HttpWebhookTransport.builder().proxy(URI.create(url));
            return true;
        } catch (IllegalArgumentException | WebhookException e) {
            return false;
        }
    }

    private static void requireTables(String endpoints, String deliveries) {
        requireTable("endpoints-table", endpoints);
        requireTable("deliveries-table", deliveries);
        PropertyRules.require(
                !deliveries.equalsIgnoreCase(endpoints),
                PREFIX + "deliveries-table",
                deliveries,
                "It must not be the same table as '" + PREFIX + "endpoints-table'.");
    }

    private static void requireTable(String property, String value) {
        PropertyRules.accepted(PREFIX + property, value, name -> DispatcherRules.requireTable("The name", name));
    }

    /**
     * Configuration properties for the names of headers.
     *
     * @param deliveryId Name of the request header with the id of the delivery; empty to leave it out.
     * @param eventId Name of the request header with the id of the event; empty to leave it out.
     * @param eventType Name of the request header with the type of the event; empty to leave it out.
     * @param attempt Name of the request header with the number of the attempt; empty to leave it out.
     */
    public record Headers(
            @DefaultValue(RequestHeaders.DELIVERY_ID) String deliveryId,
            @DefaultValue(RequestHeaders.EVENT_ID) String eventId,
            @DefaultValue(RequestHeaders.EVENT_TYPE) String eventType,
            @DefaultValue(RequestHeaders.ATTEMPT) String attempt) {

        RequestHeaders toRequestHeaders(String userAgent) {
            return new RequestHeaders(deliveryId, eventId, eventType, attempt, userAgent);
        }
    }

    /**
     * Configuration properties for the pauses between attempts.
     *
     * @param initial Pause after the first attempt.
     * @param max Maximum pause between attempts, even if a receiver sends Retry-After.
     * @param factor Factor by which each pause is multiplied for the next, 1 to 100.
     * @param jitter Maximum random addition to a pause, as a fraction of it, 0 to 1.
     */
    public record Backoff(
            @DefaultValue("5s") Duration initial,
            @DefaultValue("60m") Duration max,
            @DefaultValue("2") double factor,
            @DefaultValue("0.1") double jitter) {

        private static final String NAME = PREFIX + "retry-backoff.";

        public Backoff {
            require(DispatcherOption.BACKOFF_INITIAL, initial);
            require(DispatcherOption.BACKOFF_MAX, max);
            PropertyRules.require(
                    max.compareTo(initial) >= 0,
                    NAME + "max",
                    max,
                    "It must not be shorter than '" + NAME + "initial' (" + initial + ").");
            require(DispatcherOption.BACKOFF_FACTOR, factor);
            require(DispatcherOption.BACKOFF_JITTER, jitter);
        }

        public RetryBackoff toRetryBackoff() {
            return new RetryBackoff(initial, max, factor, jitter);
        }
    }

    /**
     * Configuration properties of operational events.
     *
     * @param enabled Whether events about keys, endpoints, deliveries and the backlog are sent to endpoints that subscribe
     *     to them.
     * @param expiryNotice How long before their expiry keys are reported, up to 'retention'.
     * @param graceNotice How long before the end of a grace period uses of the old secret are reported, up to 'retention'.
     * @param backlogAge How long a delivery must be due before the backlog is reported.
     */
    public record OperationalEvents(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("7d") Duration expiryNotice,
            @DefaultValue("1d") Duration graceNotice,
            @DefaultValue("15m") Duration backlogAge) {

        private static final String NAME = PREFIX + "operational-events.";

        public OperationalEvents {
            requireDuration("operational-events.expiry-notice", expiryNotice);
            requireDuration("operational-events.grace-notice", graceNotice);
            requireDuration("operational-events.backlog-age", backlogAge);
        }

        private void requireWithin(Duration retention) {
            if (enabled) {
                requireWithin("expiry-notice", expiryNotice, retention);
                requireWithin("grace-notice", graceNotice, retention);
            }
        }

        /** An event is sent once as long as it is kept, which must be until the key has expired. */
        private static void requireWithin(String property, Duration notice, Duration retention) {
            PropertyRules.require(
                    notice.compareTo(retention) <= 0,
                    NAME + property,
                    notice,
                    "It must not be longer than '" + PREFIX + "retention' (" + retention
                            + "), or events would be sent again when they have been removed.");
        }
    }
}
