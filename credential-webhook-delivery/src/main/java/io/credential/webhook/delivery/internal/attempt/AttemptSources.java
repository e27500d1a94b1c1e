package io.credential.webhook.delivery.internal.attempt;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.internal.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.internal.endpoint.EndpointSigner;
import io.credential.webhook.delivery.internal.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.JsonValidator;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.DestinationVetter;

/**
 * What an attempt needs to know before it sends its request. Reads from the database only what was not read with the claim:
 * large payloads, and endpoints that may have changed since. Thread-safe.
 *
 * @param payloads reads the payload of an event
 * @param threads may wait for the database, but not for long
 */
public record AttemptSources(
        EndpointDirectory endpoints,
        EndpointSignerCache signers,
        Function<String, Payload> payloads,
        DestinationVetter destinations,
        AttemptThreads threads) {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptSources.class);

    /**
     * Returns the payload of a delivery as it was dispatched.
     *
     * @throws DataAccessException if the database does not answer, or the payload was erased
     */
    public Payload payload(ClaimedDelivery delivery) {
        Payload payload = delivery.payload();
        return payload != null ? payload : payloads.apply(delivery.eventId());
    }

    /** Returns what signs for an endpoint; empty if its secret and headers do not belong to it. */
    public Optional<EndpointSigner> signer(ClaimedDelivery delivery, Subscriber subscriber) {
        try {
            return Optional.of(signers.signer(delivery.endpointId(), subscriber));
        } catch (SealException e) {
            if (Sealer.isPlain(subscriber.secrets().current())) {
                throw e; // a sign of an incomplete migration, not of tampering
            }
            LOG.debug("Could not open the secret of endpoint {} with its URL and audience", delivery.endpointId(), e);
            return Optional.empty();
        }
    }

    /** Returns why the payload cannot be sent in the format of the endpoint; empty if it can. */
    public static Optional<String> problem(Subscriber subscriber, Payload payload) {
        return isEnvelope(subscriber) ? JsonValidator.problem(payload.bytes()) : Optional.empty();
    }

    /** Returns the payload in the format of the endpoint. */
    public static Payload body(ClaimedDelivery delivery, Subscriber subscriber, Payload payload) {
        return isEnvelope(subscriber)
                ? Payload.stored(Envelope.of(delivery.eventType(), delivery.createdAt(), payload.bytes()))
                : payload;
    }

    private static boolean isEnvelope(Subscriber subscriber) {
        return subscriber.payloadFormat() == PayloadFormat.ENVELOPE;
    }

    /** Reads the current endpoint on another thread than that of the look-up. */
    public CompletableFuture<EndpointDirectory.Entry> readAgain(ClaimedDelivery delivery) {
        return CompletableFuture.supplyAsync(() -> endpoints.current(delivery), threads);
    }
}
