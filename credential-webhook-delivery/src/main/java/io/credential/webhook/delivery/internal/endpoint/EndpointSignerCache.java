package io.credential.webhook.delivery.internal.endpoint;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.seal.internal.SealException;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.internal.GitHubSigner;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;
import io.credential.webhook.signature.internal.StripeSigner;

/**
 * Creates the signers of endpoints, and keeps each until its endpoint changes, so that secrets are not opened for every
 * attempt. Call {@link #forgetAll()} regularly: an endpoint may have changed on another node. Thread-safe.
 */
public final class EndpointSignerCache {

    private static final int MAX_SIGNERS = 10_000;

    private final EndpointSecrets secrets;
    private final String signatureHeader;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Cache<String, Signer> signers =
            Caffeine.newBuilder().maximumSize(MAX_SIGNERS).build();

    public EndpointSignerCache(
            EndpointSecrets secrets, String signatureHeader, InstantSource clock, SecureRandom random) {
        this.secrets = secrets;
        this.signatureHeader = signatureHeader;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Returns the signer of an endpoint.
     *
     * @throws SealException if the secret or the headers do not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    public EndpointSigner signer(String endpointId, Subscriber subscriber) {
        Signer signer = signers.getIfPresent(endpointId);
        if (signer == null || !signer.subscriber().sendsLike(subscriber)) {
            signer = new Signer(subscriber, make(endpointId, subscriber));
            signers.put(endpointId, signer);
        }
        return signer.signer();
    }

    /** Drops the signer of an endpoint, with its keys. */
    public void forget(String endpointId) {
        signers.invalidate(endpointId);
    }

    /** Drops all signers, with keys that no longer sign. */
    public void forgetAll() {
        signers.invalidateAll();
    }

    private EndpointSigner make(String endpointId, Subscriber subscriber) {
        SecretBinding binding = new SecretBinding(endpointId, subscriber.url(), subscriber.audience());
        SecretCells cells = subscriber.secrets();
        boolean overlaps = clock.millis() < cells.previousUntil();
        try (SecretBytes secret = secrets.open(binding, cells);
                SecretBytes previous = overlaps ? secrets.openPrevious(binding, cells) : null) {
            return new EndpointSigner(
                    signature(cells, secret, null),
                    previous == null ? null : signature(cells, secret, previous),
                    cells.previousUntil(),
                    clock,
                    secrets.openHeaders(binding, subscriber.headersCell()));
        }
    }

    private EndpointSigner.Signature signature(SecretCells cells, SecretBytes secret, @Nullable SecretBytes previous) {
        return switch (cells.scheme()) {
            case CREDENTIAL -> {
                WebhookSigner signer = webhookSigner(cells, secret, previous);
                yield (body, deliveryId, attemptId) ->
                        signer.sign(body, attemptId).headers();
            }
            case STANDARD_WEBHOOKS -> {
                StandardWebhooksSigner signer = new StandardWebhooksSigner(all(secret, previous), clock);
                yield (body, deliveryId, attemptId) -> signer.headers(body, deliveryId);
            }
            case STRIPE -> {
                StripeSigner signer = new StripeSigner(header(cells), all(secret, previous), clock);
                yield (body, deliveryId, attemptId) -> signer.headers(body);
            }
            case GITHUB -> {
                // One signature only: a receiver has until the end of the overlap to accept the new secret, too.
                GitHubSigner signer = new GitHubSigner(header(cells), previous == null ? secret : previous);
                yield (body, deliveryId, attemptId) -> signer.headers(body);
            }
        };
    }

    private static List<SecretBytes> all(SecretBytes secret, @Nullable SecretBytes previous) {
        return previous == null ? List.of(secret) : List.of(secret, previous);
    }

    private static String header(SecretCells cells) {
        return Objects.requireNonNull(cells.signatureHeader());
    }

    private WebhookSigner webhookSigner(SecretCells cells, SecretBytes secret, @Nullable SecretBytes previous) {
        String kid = EndpointSecrets.kid(cells);
        WebhookSigner.Builder builder = secret.use(key -> WebhookSigner.builder()
                .name("dispatcher")
                .algorithm("hmac-sha3-512")
                .key(kid, key)
                .defaultKid(kid)
                .signatureHeader(signatureHeader)
                .clock(clock)
                .random(random));
        if (previous != null) {
            String previousKid = EndpointSecrets.previousKid(cells);
            previous.use(key -> builder.key(previousKid, key)).additionalKid(previousKid);
        }
        return builder.build();
    }

    private record Signer(Subscriber subscriber, EndpointSigner signer) {}
}
