package io.credential.webhook.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@BothDatabases
class ReplayTests {

    private static final int DELIVERIES = 64;

    private final TestDatabase testDatabase;
    private final WebhookFixture fixture = new WebhookFixture();
    private final SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

    ReplayTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
    }

    @Test
    void verifyWhenAnIdComesAgainThenReplay() {
        for (NonceStore store : stores()) {
            WebhookVerifier verifier = fixture.verifier().nonceStore(store).build();

            assertThat(verify(verifier).id()).isEqualTo(signed.id());
            Codes.assertRefused("webhook/replay", () -> verify(verifier));
        }
    }

    @Test
    void verifyWhenManyComeAtOnceThenOneIsAccepted() {
        for (NonceStore store : stores()) {
            WebhookVerifier verifier = fixture.verifier().nonceStore(store).build();

            List<String> outcomes = InParallel.run(DELIVERIES, () -> outcome(verifier));

            assertThat(outcomes)
                    .containsOnlyOnce("accepted")
                    .filteredOn("webhook/replay"::equals)
                    .hasSize(DELIVERIES - 1);
        }
    }

    @Test
    void verifyWhenOnlyTheKidDiffersThenReplay() {
        WebhookVerifier verifier = fixture.verifier()
                .key("v2", "another key, long enough")
                .nonceStore(new InMemoryNonceStore(fixture.clock))
                .build();
        SignedWebhook again = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v2", "another key, long enough")
                .idGenerator(signed::id)
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);

        assertThat(verify(verifier).kid()).isEqualTo("v1");
        Codes.assertRefused(
                "webhook/replay", () -> verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(again)));
    }

    @Test
    void verifyWhenVerifierNamesDifferThenIdsAreNotShared() {
        NonceStore store = new InMemoryNonceStore(fixture.clock);

        assertThat(verify(fixture.verifier().name("a").nonceStore(store).build())
                        .id())
                .isEqualTo(signed.id());
        assertThat(verify(fixture.verifier().name("b").nonceStore(store).build())
                        .id())
                .isEqualTo(signed.id());
    }

    /** The nonce was computed by Python's hashlib. */
    @Test
    void verifyThenNonceAndExpiryFollowTheRule() {
        Map<String, Instant> seen = new HashMap<>();
        WebhookVerifier verifier = fixture.verifier()
                .name("partner")
                .tolerance(Duration.ofMinutes(10))
                .clockSkew(Duration.ofSeconds(30))
                .nonceStore((nonce, expireAt) -> seen.put(nonce, expireAt) == null)
                .build();
        SignedWebhook known = fixture.signer()
                .idGenerator(() -> "01KDVDPX000000000000000000")
                .build()
                .sign(WebhookFixture.BODY);

        verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(known));

        assertThat(seen)
                .containsExactly(Map.entry(
                        "a74119534be8fe8a08a03312345d47aba84dd29201faa0bc37294a77491c0c2d",
                        Instant.parse("2026-01-01T00:10:31Z")));
    }

    @Test
    void verifyWhenSignatureIsRefusedThenNoNonceIsUsedUp() {
        WebhookVerifier verifier = fixture.verifier()
                .nonceStore(new InMemoryNonceStore(fixture.clock))
                .build();

        Codes.assertRefused(
                "webhook/bad-signature", () -> verifier.verify(new byte[0], WebhookFixture.headers(signed)));
        assertThat(verify(verifier).id()).isEqualTo(signed.id());
    }

    @Test
    void verifyWhenStillInTheWindowThenNonceIsRemembered() {
        for (NonceStore store : stores()) {
            WebhookVerifier verifier = fixture.verifier().nonceStore(store).build();
            Instant signedAt = fixture.clock.instant();
            fixture.clock.advance(Duration.ofMinutes(-1));
            verify(verifier);

            fixture.clock.set(signedAt.plus(Duration.ofMinutes(5)));
            Codes.assertRefused("webhook/replay", () -> verify(verifier));
            fixture.clock.set(signedAt);
        }
    }

    @Test
    void verifyWhenTheStoreFailsThenSaysSo() {
        WebhookVerifier verifier = fixture.verifier()
                .nonceStore((nonce, expireAt) -> {
                    throw new IllegalStateException("the store does not answer");
                })
                .build();

        assertThatExceptionOfType(NonceStoreException.class)
                .isThrownBy(() -> verify(verifier))
                .havingCause()
                .withMessage("the store does not answer");
    }

    @Test
    void verifyWhenProcessingRollsBackThenAcceptedAgain() {
        WebhookVerifier verifier = fixture.verifier()
                .name("rolled back")
                .nonceStore(new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA), fixture.clock))
                .build();

        assertThatIllegalStateException()
                .isThrownBy(() -> testDatabase.migrate(JdbcNonceStore.SCHEMA).inTransaction(() -> {
                    verify(verifier);
                    throw new IllegalStateException("processing failed");
                }));

        assertThat(verify(verifier).id()).isEqualTo(signed.id());
        Codes.assertRefused("webhook/replay", () -> verify(verifier));
    }

    private List<NonceStore> stores() {
        testDatabase
                .migrate(JdbcNonceStore.SCHEMA)
                .jdbc()
                .sql("DELETE FROM _credential_nonces")
                .update();
        return List.of(
                new InMemoryNonceStore(fixture.clock),
                new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA), fixture.clock));
    }

    private VerifiedWebhook verify(WebhookVerifier verifier) {
        return verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed));
    }

    private String outcome(WebhookVerifier verifier) {
        try {
            verify(verifier);
            return "accepted";
        } catch (WebhookException e) {
            return e.code();
        }
    }
}
