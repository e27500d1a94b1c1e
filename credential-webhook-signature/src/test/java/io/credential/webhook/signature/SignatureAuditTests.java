package io.credential.webhook.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

class SignatureAuditTests {

    private final WebhookFixture fixture = new WebhookFixture();
    private final List<AuditEvent> events = new ArrayList<>();

    @Test
    void signAndVerifyWhenTheySucceedThenReported() {
        SignedWebhook signed =
                fixture.signer().name("outbound").audit(events::add).build().sign(WebhookFixture.BODY);
        fixture.verifier()
                .name("partner")
                .audit(events::add)
                .build()
                .verify(WebhookFixture.BODY, WebhookFixture.headers(signed));

        assertThat(events)
                .containsExactly(
                        event(
                                "webhook.sign",
                                Outcome.SUCCESS,
                                null,
                                signed.id(),
                                Map.of("signer", "outbound", "algorithm", "hmac-sha3-512", "kid", "v1")),
                        event(
                                "webhook.verify",
                                Outcome.SUCCESS,
                                null,
                                signed.id(),
                                Map.of(
                                        "verifier",
                                        "partner",
                                        "algorithm",
                                        "hmac-sha3-512",
                                        "kid",
                                        "v1",
                                        "timestamp",
                                        1767225600L)));
    }

    @Test
    void verifyWhenRefusedThenReportedOnce() {
        WebhookVerifier verifier = fixture.verifier().audit(events::add).build();
        SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

        refuse(() -> verifier.verify(WebhookFixture.BODY, Map.of()));
        refuse(() -> verifier.verify(new byte[0], WebhookFixture.headers(signed)));

        assertThat(events)
                .containsExactly(
                        event("webhook.verify", Outcome.FAILURE, "missing-header", null, Map.of("verifier", "default")),
                        event(
                                "webhook.verify",
                                Outcome.FAILURE,
                                "bad-signature",
                                null,
                                Map.of("verifier", "default", "presentedId", signed.id())));
    }

    @Test
    void verifyWhenFloodedThenOneEventAndOneCount() {
        WebhookVerifier verifier =
                fixture.verifier().name("partner").audit(events::add).build();
        ProcessorSignature processor = ProcessorSignature.builder()
                .name("payments")
                .secret("a secret of the processor")
                .audit(events::add)
                .build();

        for (int i = 0; i < 200; i++) {
            refuse(() -> verifier.verify(WebhookFixture.BODY, Map.of()));
            refuse(() -> processor.verify(null, WebhookFixture.BODY));
        }
        assertThat(events).extracting(AuditEvent::reason).containsExactly("missing-header", "missing-header");
        events.clear();
        verifier.close();
        processor.close();

        assertThat(events)
                .extracting(AuditEvent::attributes)
                .containsExactly(
                        Map.of("verifier", "partner", "count", 199L), Map.of("verifier", "payments", "count", 199L));
    }

    @Test
    void verifyWhenReplayedOrStoreFailsThenReported() {
        SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);
        WebhookVerifier once = fixture.verifier()
                .nonceStore(new InMemoryNonceStore(fixture.clock))
                .audit(events::add)
                .auditSuccess(false)
                .build();
        WebhookVerifier failing = fixture.verifier()
                .nonceStore((nonce, expireAt) -> {
                    throw new IllegalStateException("the store does not answer");
                })
                .audit(events::add)
                .build();

        once.verify(WebhookFixture.BODY, WebhookFixture.headers(signed));
        refuse(() -> once.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)));
        assertThatExceptionOfType(NonceStoreException.class)
                .isThrownBy(() -> failing.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)));

        assertThat(events).extracting(AuditEvent::reason).containsExactly("replay", "unavailable");
    }

    @Test
    void auditWhenOneSwitchIsOffThenThatKindIsSilent() {
        WebhookSigner quietSigner =
                fixture.signer().audit(events::add).auditSuccess(false).build();
        WebhookVerifier quietVerifier =
                fixture.verifier().audit(events::add).auditSuccess(false).build();
        quietVerifier.verify(WebhookFixture.BODY, WebhookFixture.headers(quietSigner.sign(WebhookFixture.BODY)));
        assertThat(events).isEmpty();

        refuse(() -> quietSigner.sign(null));
        refuse(() -> quietVerifier.verify(null, Map.of()));
        assertThat(events)
                .extracting(AuditEvent::name, AuditEvent::outcome)
                .containsExactly(tuple("webhook.sign", Outcome.FAILURE), tuple("webhook.verify", Outcome.FAILURE));
        events.clear();

        refuse(() ->
                fixture.signer().audit(events::add).auditFailures(false).build().sign(null));
        refuse(() -> fixture.verifier()
                .audit(events::add)
                .auditFailures(false)
                .build()
                .verify(null, Map.of()));
        assertThat(events).isEmpty();
    }

    @Test
    void processorWhenAuditedThenSignAndVerifyAreReported() {
        ProcessorSignature pair = ProcessorSignature.builder()
                .name("payments")
                .secret("whsec_test")
                .clock(fixture.clock)
                .audit(events::add)
                .build();

        pair.verify(pair.sign(WebhookFixture.BODY), WebhookFixture.BODY);
        refuse(() -> pair.verify("", WebhookFixture.BODY));
        refuse(() -> pair.sign(null));

        assertThat(events)
                .containsExactly(
                        event(
                                "webhook.sign",
                                Outcome.SUCCESS,
                                null,
                                null,
                                Map.of("signer", "payments", "algorithm", "hmac-sha256-processor")),
                        event(
                                "webhook.verify",
                                Outcome.SUCCESS,
                                null,
                                null,
                                Map.of(
                                        "verifier",
                                        "payments",
                                        "algorithm",
                                        "hmac-sha256-processor",
                                        "timestamp",
                                        1767225600L)),
                        event(
                                "webhook.verify",
                                Outcome.FAILURE,
                                "bad-stripe-header",
                                null,
                                Map.of("verifier", "payments")),
                        event(
                                "webhook.sign",
                                Outcome.FAILURE,
                                "bad-body",
                                null,
                                Map.of("signer", "payments", "algorithm", "hmac-sha256-processor")));

        events.clear();
        ProcessorSignature quiet = ProcessorSignature.builder()
                .secret("whsec_test")
                .clock(fixture.clock)
                .audit(events::add)
                .auditSuccess(false)
                .auditFailures(false)
                .build();
        quiet.verify(quiet.sign(WebhookFixture.BODY), WebhookFixture.BODY);
        refuse(() -> quiet.verify("", WebhookFixture.BODY));
        assertThat(events).isEmpty();
    }

    @Test
    void signAndVerifyWhenTheSinkFailsThenNothingChanges() {
        WebhookVerifier verifier = fixture.verifier()
                .audit(event -> {
                    throw new IllegalStateException("the sink is full");
                })
                .build();
        SignedWebhook signed = fixture.signer()
                .audit(event -> {
                    throw new IllegalStateException("the sink is full");
                })
                .build()
                .sign(WebhookFixture.BODY);

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .id())
                .isEqualTo(signed.id());
        Codes.assertRefused("webhook/missing-header", () -> verifier.verify(WebhookFixture.BODY, Map.of()));
    }

    private AuditEvent event(
            String name,
            Outcome outcome,
            @Nullable String reason,
            @Nullable String resourceId,
            Map<String, Object> attributes) {
        return new AuditEvent(name, outcome, reason, null, "webhook", resourceId, fixture.clock.instant(), attributes);
    }

    private static void refuse(ThrowingCallable call) {
        assertThatExceptionOfType(WebhookException.class).isThrownBy(call);
    }
}
