package io.credential.webhook.delivery.endpoint;

import java.security.SecureRandom;
import java.time.InstantSource;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.seal.SealException;
import io.credential.seal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.queue.Subscriber;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Creates the signers of endpoints, and keeps each until the row of its endpoint changes, so that a secret is not opened for
 * every attempt. Thread-safe.
 *
 * @since 0.1.0
 */
public final class EndpointSignerCache {

    private static final int MAX_SIGNERS = 10_000;

    private static final String KID = "v1";

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
     * @throws SealException if the secret does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    public WebhookSigner signer(String endpointId, Subscriber subscriber) {
        Signer signer = signers.getIfPresent(endpointId);
        if (signer == null || !signer.subscriber().equals(subscriber)) {
            signer = new Signer(subscriber, make(endpointId, subscriber));
            signers.put(endpointId, signer);
        }
        return signer.signer();
    }

    private WebhookSigner make(String endpointId, Subscriber subscriber) {
        SecretBinding binding = new SecretBinding(endpointId, subscriber.url(), subscriber.audience());
        try (SecretBytes secret = secrets.open(binding, subscriber.secretCell())) {
            return secret.use(key -> WebhookSigner.builder()
                    .name("dispatcher")
                    .algorithm("hmac-sha3-512")
                    .key(KID, key)
                    .signatureHeader(signatureHeader)
                    .clock(clock)
                    .random(random)
                    .build());
        }
    }

    private record Signer(Subscriber subscriber, WebhookSigner signer) {}
}
