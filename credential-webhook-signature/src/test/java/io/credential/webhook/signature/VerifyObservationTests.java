package io.credential.webhook.signature;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.BrokenHandler;
import io.credential.testing.RecordedObservations;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Observations of incoming webhooks. */
class VerifyObservationTests {

    private static final String NAME = "credential.webhook.verify";

    private final RecordedObservations observations = new RecordedObservations();
    private final WebhookFixture fixture = new WebhookFixture();
    private final SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

    @Test
    void verifyWhenAcceptedThenVerifierAndAlgorithm() {
        verifier().build().verify(WebhookFixture.BODY, WebhookFixture.headers(signed));

        assertThat(observations.tags(NAME)).containsExactly(tags("accepted", "none"));
        assertThat(observations.values()).doesNotContain(signed.id(), signed.signature());
    }

    @Test
    void verifyWhenRejectedThenReasonIsThatOfTheCode() {
        WebhookVerifier verifier =
                verifier().nonceStore(new InMemoryNonceStore(fixture.clock, 10)).build();
        verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed));

        assertRejected(() -> verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)));
        assertRejected(() -> verifier.verify(new byte[0], WebhookFixture.headers(signed)));
        assertRejected(() -> verifier.verify(WebhookFixture.BODY, Map.of()));

        assertThat(observations.tags(NAME))
                .containsExactly(
                        tags("accepted", "none"),
                        tags("rejected", "replay"),
                        tags("rejected", "bad-signature"),
                        tags("rejected", "missing-header"));
    }

    @Test
    void examineThenNothingRuns() {
        PresentedSignature<VerifiedWebhook> presented = verifier().build().examine(WebhookFixture.headers(signed));

        assertThat(observations.running()).isZero();
        assertThat(observations.tags(NAME)).isEmpty();
        presented.verify(WebhookFixture.BODY);
        presented.verify(WebhookFixture.BODY);
        assertThat(observations.running()).isZero();
        assertThat(observations.tags(NAME)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void verifyWhenAHandlerFailsThenSameOutcomeAndAudit(BrokenHandler.Moment moment) {
        observations.registry().observationConfig().observationHandler(new BrokenHandler(moment));
        List<String> audited = new CopyOnWriteArrayList<>();
        WebhookVerifier verifier =
                verifier().audit(event -> audited.add(event.outcome().text())).build();

        verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed));
        assertRejected(() -> verifier.verify(new byte[0], WebhookFixture.headers(signed)));
        assertRejected(() -> verifier.verify(WebhookFixture.BODY, Map.of()));

        assertThat(audited).containsExactly("success", "failure", "failure");
    }

    @Test
    void abandonThenItsReasonIsNoTag() {
        verifier().build().examine(WebhookFixture.headers(signed)).abandon("anything at all");

        assertThat(observations.tags(NAME)).containsExactly(tags("rejected", "abandoned"));
        assertThat(observations.running()).isZero();
    }

    @Test
    void verifyWhenTheNonceStoreFailsThenError() {
        WebhookVerifier verifier = verifier()
                .nonceStore((nonce, expireAt) -> {
                    throw new IllegalStateException("the store is down");
                })
                .build();

        assertThatExceptionOfType(NonceStoreException.class)
                .isThrownBy(() -> verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)));

        assertThat(observations.tags(NAME)).containsExactly(tags("error", "unavailable"));
    }

    @Test
    void verifyWhenProcessorStyleThenObservedToo() {
        ProcessorSignature processor = ProcessorSignature.builder()
                .name("payments")
                .secret(WebhookFixture.KEY)
                .clock(fixture.clock)
                .observationRegistry(observations.registry())
                .build();

        processor.verify(processor.sign(WebhookFixture.BODY), WebhookFixture.BODY);

        assertThat(observations.tags(NAME))
                .singleElement()
                .satisfies(tags ->
                        assertThat(tags).containsEntry("verifier", "payments").containsEntry("outcome", "accepted"));
    }

    private WebhookVerifier.Builder verifier() {
        return fixture.verifier().name("partner").observationRegistry(observations.registry());
    }

    private static void assertRejected(ThrowingCallable call) {
        assertThatExceptionOfType(WebhookException.class).isThrownBy(call);
    }

    private static Map<String, String> tags(String outcome, String reason) {
        return Map.of("verifier", "partner", "algorithm", "hmac-sha3-512", "outcome", outcome, "reason", reason);
    }
}
