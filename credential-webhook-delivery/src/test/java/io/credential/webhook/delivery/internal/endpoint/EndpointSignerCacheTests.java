package io.credential.webhook.delivery.internal.endpoint;

import java.security.SecureRandom;
import java.time.InstantSource;

import org.junit.jupiter.api.Test;

import io.credential.seal.internal.Keyring;
import io.credential.webhook.delivery.internal.queue.Subscriber;

import static org.assertj.core.api.Assertions.assertThat;

/** Secrets are opened again only if the endpoint was registered again. */
class EndpointSignerCacheTests {

    private static final String URL = "https://hooks.example/a";

    private final SecureRandom random = new SecureRandom();
    private final EndpointSecrets secrets = new EndpointSecrets(Keyring.generate(random), random, false);
    private final EndpointSignerCache signers =
            new EndpointSignerCache(secrets, "Webhook-Signature", InstantSource.system(), random);
    private final Subscriber subscriber = TestEndpoints.subscriber(secrets, "shop", URL);
    private final Subscriber otherSubscriber = TestEndpoints.subscriber(secrets, "other", URL);

    @Test
    void signerWhenOnlyTheRecordChangesThenKept() {
        Subscriber failing =
                new Subscriber(URL, subscriber.secrets(), null, null, subscriber.payloadFormat(), 2, true, true, null);

        assertThat(signers.signer("shop", failing)).isSameAs(signers.signer("shop", subscriber));
    }

    @Test
    void forgetThenTheOldKeyIsNotKept() {
        EndpointSigner signer = signers.signer("shop", subscriber);
        EndpointSigner other = signers.signer("other", otherSubscriber);

        signers.forget("shop");

        assertThat(signers.signer("shop", subscriber)).isNotSameAs(signer);
        assertThat(signers.signer("other", otherSubscriber)).isSameAs(other);
    }

    @Test
    void forgetAllThenNoKeyIsKept() {
        EndpointSigner signer = signers.signer("shop", subscriber);

        signers.forgetAll();

        assertThat(signers.signer("shop", subscriber)).isNotSameAs(signer);
    }

    @Test
    void signerWhenRegisteredAgainThenAnother() {
        Subscriber again = TestEndpoints.subscriber(secrets, "shop", URL);

        assertThat(signers.signer("shop", again)).isNotSameAs(signers.signer("shop", subscriber));
    }
}
