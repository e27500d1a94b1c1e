package io.credential.webhook.delivery.internal.endpoint;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.audit.internal.AuditTrail;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.JsonText;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookTransportException;

/** Registers endpoints with their subscriptions. Thread-safe. */
public final class EndpointRegistry {

    private static final String REGISTERED = "webhook.endpoint.register";
    private static final int MAX_REGISTRATIONS = 5;

    /**
     * Changes and returns nothing if the id is taken by an endpoint that must not be replaced. A pause stays: applications
     * register their endpoints at each start. Failures at another URL no longer count. A secret that was read must not
     * have changed since.
     */
    private static final String UPSERT = """
            INSERT INTO {endpoints} AS e (endpoint_id, url, scheme, signature_header, secret, secret_number, previous_secret,
                previous_until, headers, audience, payload_format, name, metadata, rate_limit, rate_window, version, created_at)
            VALUES (:endpointId, :url, :scheme, :signatureHeader, :secret, :secretNumber, :previousSecret,
                :previousUntil, :headers, :audience, :payloadFormat, :name, :metadata, :rateLimit, :rateWindow, 1, :now)
            ON CONFLICT (endpoint_id) DO UPDATE
            SET url = excluded.url, scheme = excluded.scheme,
                signature_header = excluded.signature_header, secret = excluded.secret,
                secret_number = excluded.secret_number,
                previous_secret = excluded.previous_secret, previous_until = excluded.previous_until,
                headers = excluded.headers,
                payload_format = excluded.payload_format, name = excluded.name, metadata = excluded.metadata,
                rate_limit = excluded.rate_limit, rate_window = excluded.rate_window,
                version = e.version + 1,
                failing_since = CASE WHEN e.url = excluded.url THEN e.failing_since END,
                reported_at = CASE WHEN e.url = excluded.url THEN e.reported_at END
            WHERE e.audience IS NOT DISTINCT FROM excluded.audience AND CAST(:createOnly AS INTEGER) = 0
              AND e.secret = COALESCE(CAST(:readSecret AS text), e.secret)
            RETURNING created_at, version, paused_at, pause_reason""";

    private static final String SUBSCRIBE =
            "INSERT INTO {subscriptions} (event_type, endpoint_id) VALUES (:eventType, :endpointId)";

    private final DispatcherContext context;
    private final EndpointSecrets secrets;
    private final EndpointHeaders headers;
    private final DestinationVetter destinations;
    private final Consumer<String> onCreate;
    private final Consumer<String> onChange;
    private final AuditTrail audit;

    /**
     * @param onCreate called with the id of a new endpoint, in the transaction that creates it
     * @param onChange called with the id of an endpoint after its replacement was committed
     */
    public EndpointRegistry(
            DispatcherContext context,
            EndpointSecrets secrets,
            DestinationVetter destinations,
            String signatureHeader,
            Consumer<String> onCreate,
            Consumer<String> onChange,
            AuditTrail audit) {
        this.context = context;
        this.secrets = secrets;
        this.headers = new EndpointHeaders(context.options(), secrets, signatureHeader);
        this.destinations = destinations;
        this.onCreate = onCreate;
        this.onChange = onChange;
        this.audit = audit;
    }

    /**
     * Creates an endpoint, or replaces the one with the same id and audience. Waits for DNS before it takes a connection.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unsafe-destination} if webhooks may not be sent to the
     *     URL, {@code webhook-dispatcher/endpoint-conflict} if the id is taken by an endpoint that must not be replaced,
     *     or that is changed repeatedly at the same time, {@code webhook-dispatcher/not-found} if the registration only
     *     replaces and no endpoint of the audience has the id, {@code webhook-dispatcher/unreadable-secret} if the endpoint
     *     keeps its secret or its headers, and they cannot be opened
     */
    public Endpoint register(EndpointRegistration registration) {
        DispatcherRules.require("registration", registration);
        headers.requireOwn(registration);
        String host = requireSafe(registration).host();
        SecretBytes secret = registration.secret();
        if (secret != null) {
            EndpointSecrets.warnIfWeak(registration.endpointId(), secret);
        }
        List<String> eventTypes = registration.eventTypes().stream().sorted().toList();
        return context.database().inTransaction(() -> {
            // The lock on the row keeps out other registrations of this id until the subscriptions are written.
            Stored stored = secret == null ? keepOrGenerate(registration, host) : replace(registration, secret, host);
            boolean replaced = stored.version() > 1;
            if (!replaced) {
                if (registration.isReplaceOnly()) { // the row was inserted; the exception rolls it back
                    throw conflict(registration, host);
                }
                onCreate.accept(registration.endpointId());
            }
            replaceSubscriptions(registration.endpointId(), eventTypes);
            context.database().afterCommit(() -> onChange.accept(registration.endpointId()));
            Map<String, Object> facts = facts(registration, host);
            facts.put("replaced", replaced);
            context.database().afterCommit(audit.successReport(REGISTERED, registration.endpointId(), facts));
            return endpoint(registration, eventTypes, stored);
        });
    }

    private Endpoint endpoint(EndpointRegistration registration, List<String> eventTypes, Stored stored) {
        return new Endpoint(
                registration.endpointId(),
                registration.url(),
                eventTypes,
                registration.audience(),
                registration.payloadFormat(),
                registration.name(),
                registration.metadata(),
                registration.rateLimit(),
                Instant.ofEpochMilli(stored.createdAt()),
                stored.pausedAt(),
                stored.pauseReason(),
                registration.scheme(),
                registration.signatureHeader(),
                secrets.publicKey(SecretBinding.of(registration), stored.secrets()),
                EndpointSecrets.kid(stored.secrets()),
                EndpointReader.previousUntil(stored.secrets(), context.clock()),
                stored.generated());
    }

    private Stored replace(EndpointRegistration registration, SecretBytes secret, String host) {
        return upsert(registration, registration.isCreateOnly(), sealed(registration, secret), null)
                .orElseThrow(() -> conflict(registration, host));
    }

    /**
     * An endpoint that exists keeps its secret, since applications register their endpoints at each start, unless another
     * scheme needs another one.
     */
    private Stored keepOrGenerate(EndpointRegistration registration, String host) {
        for (int attempt = 0; attempt < MAX_REGISTRATIONS; attempt++) {
            Optional<SealedEndpoint> existing =
                    SealedEndpoint.find(context.database().jdbc(), context.tables(), registration.endpointId());
            Optional<Stored> stored =
                    existing.isEmpty() ? generate(registration, null) : keep(registration, existing.get(), host);
            if (stored.isPresent()) {
                return stored.get();
            }
        }
        throw conflict(registration, host, " was changed repeatedly at the same time. Register it again");
    }

    /** @param existing the endpoint whose secret is replaced; null for one that must not exist */
    private Optional<Stored> generate(EndpointRegistration registration, @Nullable SealedEndpoint existing) {
        String generated = secrets.generate(registration.scheme());
        try (SecretBytes secret = EndpointSecrets.bytes(generated)) {
            return upsert(registration, existing == null, sealed(registration, secret), existing)
                    .map(stored -> stored.withGenerated(generated));
        }
    }

    private Optional<Stored> keep(EndpointRegistration registration, SealedEndpoint existing, String host) {
        if (registration.isCreateOnly() || !Objects.equals(existing.binding().audience(), registration.audience())) {
            throw conflict(registration, host);
        }
        if (existing.secrets().scheme() != registration.scheme()) {
            return generate(registration, existing);
        }
        SecretCells kept = existing.secrets().at(context.clock().millis());
        SecretCells sealed = EndpointSecrets.readable(
                "The secret of endpoint " + registration.endpointId(),
                () -> secrets.reseal(
                        existing.binding(), SecretBinding.of(registration), kept, registration.signatureHeader()));
        return upsert(registration, false, sealed, existing);
    }

    private SecretCells sealed(EndpointRegistration registration, SecretBytes secret) {
        return secrets.seal(
                SecretBinding.of(registration), registration.scheme(), registration.signatureHeader(), secret);
    }

    private VettedDestination requireSafe(EndpointRegistration registration) {
        try {
            return destinations.vetNow(registration.url(), context.options().requestTimeout());
        } catch (UnsafeDestinationException e) {
            throw e.errorCode() == WebhookErrorCode.UNRESOLVABLE_DESTINATION
                    ? unresolvable(registration, e)
                    : refused(registration, e);
        } catch (WebhookTransportException e) {
            throw refused(registration, e);
        }
    }

    private WebhookDispatcherException refused(EndpointRegistration registration, RuntimeException cause) {
        audit.failure(REGISTERED, "unsafe-destination", registration.endpointId(), facts(registration, null));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.UNSAFE_DESTINATION, String.valueOf(cause.getMessage()), cause);
    }

    private WebhookDispatcherException unresolvable(EndpointRegistration registration, Exception cause) {
        audit.failure(REGISTERED, "unresolvable-destination", registration.endpointId(), facts(registration, null));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.UNRESOLVABLE_DESTINATION, String.valueOf(cause.getMessage()), cause);
    }

    /** Reveals nothing about the existing endpoint, which may be another tenant's. */
    private WebhookDispatcherException conflict(EndpointRegistration registration, String host) {
        if (registration.isReplaceOnly()) {
            audit.failure(REGISTERED, "not-found", registration.endpointId(), facts(registration, host));
            return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, "No endpoint has this id");
        }
        return conflict(
                registration,
                host,
                registration.isCreateOnly()
                        ? " is already registered. Choose another id"
                        : " is registered for another audience. Choose another id, or remove it first");
    }

    private WebhookDispatcherException conflict(EndpointRegistration registration, String host, String problem) {
        audit.failure(REGISTERED, "endpoint-conflict", registration.endpointId(), facts(registration, host));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.ENDPOINT_CONFLICT, "The endpoint " + registration.endpointId() + problem);
    }

    private static Map<String, Object> facts(EndpointRegistration registration, @Nullable String host) {
        Map<String, Object> facts = new HashMap<>();
        if (host != null) {
            facts.put("urlHost", host);
        }
        String audience = registration.audience();
        if (audience != null) {
            facts.put("audience", audience);
        }
        RateLimit rateLimit = registration.rateLimit();
        if (rateLimit != null) {
            facts.put("rateLimit", rateLimit.limit() + " in " + rateLimit.windowSeconds() + " s");
        }
        return facts;
    }

    /**
     * Returns empty if the id is taken by an endpoint that must not be replaced.
     *
     * @param existing the endpoint as it was read, which must not have changed; null if any may be replaced
     */
    private Optional<Stored> upsert(
            EndpointRegistration registration,
            boolean createOnly,
            SecretCells sealed,
            @Nullable SealedEndpoint existing) {
        RateLimit rateLimit = registration.rateLimit();
        return context.sql(UPSERT)
                .param("endpointId", registration.endpointId())
                .param("url", registration.url())
                .param("scheme", sealed.scheme().text())
                .param("signatureHeader", sealed.signatureHeader())
                .param("secret", sealed.current())
                .param("secretNumber", sealed.number())
                .param("previousSecret", sealed.previous())
                .param("previousUntil", sealed.previous() == null ? null : sealed.previousUntil())
                .param(
                        "readSecret",
                        existing == null ? null : existing.secrets().current())
                .param("headers", headers.seal(registration, existing))
                .param("audience", registration.audience())
                .param("payloadFormat", registration.payloadFormat().text())
                .param("name", registration.name())
                .param("metadata", JsonText.write(registration.metadata()))
                .param("rateLimit", rateLimit == null ? null : rateLimit.limit())
                .param("rateWindow", rateLimit == null ? null : rateLimit.windowSeconds())
                .param("createOnly", createOnly ? 1 : 0)
                .param("now", context.clock().millis())
                .query((row, index) -> new Stored(
                        row.getLong("created_at"),
                        row.getInt("version"),
                        EndpointReader.pausedAt(row),
                        EndpointReader.pauseReason(row),
                        sealed,
                        null))
                .optional();
    }

    private void replaceSubscriptions(String endpointId, List<String> eventTypes) {
        context.sql(EndpointRemover.UNSUBSCRIBE).param("endpointId", endpointId).update();
        context.database()
                .batchUpdate(
                        context.tables().in(SUBSCRIBE),
                        eventTypes.stream()
                                .<SqlParameterSource>map(eventType -> new MapSqlParameterSource(
                                        Map.of("eventType", eventType, "endpointId", endpointId)))
                                .toList());
    }

    /**
     * @param version how often the endpoint was registered
     * @param generated the secret, if it was generated
     */
    private record Stored(
            long createdAt,
            int version,
            @Nullable Instant pausedAt,
            @Nullable PauseReason pauseReason,
            SecretCells secrets,
            @Nullable String generated) {

        Stored withGenerated(String secret) {
            return new Stored(createdAt, version, pausedAt, pauseReason, secrets, secret);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "Stored";
        }
    }
}
