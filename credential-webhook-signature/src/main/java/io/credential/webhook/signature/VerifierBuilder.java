package io.credential.webhook.signature;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.replay.NonceStore;

/** The options that verifiers share. Not thread-safe. */
abstract class VerifierBuilder<B extends VerifierBuilder<B>> extends SignatureBuilder<B> {

    Duration tolerance = WebhookVerifier.DEFAULT_TOLERANCE;
    Duration clockSkew = WebhookVerifier.DEFAULT_CLOCK_SKEW;

    @Nullable NonceStore nonceStore;

    ObservationRegistry observations = ObservationRegistry.NOOP;

    VerifierBuilder(@Nullable String algorithm, String signatureHeader) {
        super(algorithm, signatureHeader);
    }

    /**
     * How old a signature may be; longer than zero. For a {@link ProcessorSignature}, how far its time may be from now
     * either way; at least {@link ProcessorSignature#MIN_TOLERANCE}. Default: five minutes.
     *
     * @throws WebhookException {@code webhook/bad-tolerance} if it is null
     */
    public B tolerance(@Nullable Duration tolerance) {
        if (tolerance == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TOLERANCE, "The tolerance must not be null: leave it out for its default");
        }
        this.tolerance = tolerance;
        return self();
    }

    /**
     * How far in the future a signature's time may be; zero or longer. For a {@link ProcessorSignature}, how far the
     * clocks of nodes that share a nonce store may differ. Nonces are remembered that much longer than the tolerance.
     * Default: {@link WebhookVerifier#DEFAULT_CLOCK_SKEW}.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null
     */
    public B clockSkew(@Nullable Duration clockSkew) {
        this.clockSkew = WebhookOptions.required(clockSkew, "clockSkew");
        return self();
    }

    /**
     * Observes verifications as {@link CredentialObservation#WEBHOOK_VERIFY}; default: they are not observed.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null
     */
    public B observationRegistry(@Nullable ObservationRegistry observations) {
        this.observations = WebhookOptions.required(observations, "observationRegistry");
        return self();
    }

    /**
     * Refuses requests that were accepted before. Requests that were signed before the store started to remember are
     * refused too; it starts when this verifier is built, or earlier. Default: none, so that replays within the
     * tolerance are accepted.
     *
     * @throws WebhookException {@code webhook/bad-nonce-store} if it is null
     */
    public B nonceStore(@Nullable NonceStore nonceStore) {
        if (nonceStore == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_NONCE_STORE,
                    "The nonce store must not be null: leave the option out to verify without one");
        }
        this.nonceStore = nonceStore;
        return self();
    }
}
