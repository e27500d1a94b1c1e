package io.credential.webhook.signature;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What a nonce store cannot know to be new is not accepted. */
@BothDatabases
class ReplayMemoryTests {

    private final TestDatabase testDatabase;
    private final WebhookFixture fixture = new WebhookFixture();

    ReplayMemoryTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
    }

    @BeforeEach
    void empty() {
        testDatabase
                .migrate(JdbcNonceStore.SCHEMA)
                .jdbc()
                .sql("DELETE FROM _credential_nonces")
                .update();
    }

    @Test
    void verifyWhenSignedBeforeTheStoreThenExpired() {
        SignedWebhook captured = sign();
        fixture.clock.advance(Duration.ofSeconds(1));
        for (NonceStore store : List.of(new InMemoryNonceStore(fixture.clock), jdbc())) {
            WebhookVerifier verifier = fixture.verifier().nonceStore(store).build();

            Codes.assertRefused("webhook/expired", () -> verify(verifier, captured));
            SignedWebhook fresh = sign();
            assertThat(verify(verifier, fresh).id()).isEqualTo(fresh.id());
        }
    }

    @Test
    void verifyWhenProcessorSignedBeforeTheStoreThenStale() {
        ProcessorSignature.Builder pair =
                ProcessorSignature.builder().secret(WebhookFixture.KEY).clock(fixture.clock);
        String captured = pair.build().sign(WebhookFixture.BODY);
        fixture.clock.advance(Duration.ofSeconds(1));
        ProcessorSignature remembering = pair.nonceStore(jdbc()).build();

        Codes.assertRefused("webhook/stale-timestamp", () -> remembering.verify(captured, WebhookFixture.BODY));
        assertThat(remembering
                        .verify(remembering.sign(WebhookFixture.BODY), WebhookFixture.BODY)
                        .scheme())
                .isEqualTo("v1");
    }

    @Test
    void verifyWhenTheTableWasEmptiedThenExpired() {
        WebhookVerifier verifier = fixture.verifier().nonceStore(jdbc()).build();
        SignedWebhook captured = sign();
        verify(verifier, captured);
        empty();

        Codes.assertRefused("webhook/expired", () -> verify(verifier, captured));
        fixture.clock.advance(Duration.ofSeconds(1));
        Codes.assertRefused("webhook/expired", () -> verify(verifier, captured));
        SignedWebhook fresh = sign();
        assertThat(verify(verifier, fresh).id()).isEqualTo(fresh.id());
    }

    @Test
    void verifyWhenTheWindowWasWidenedThenExpired() {
        NonceStore store = jdbc();
        SignedWebhook captured = sign();
        verify(tolerating(Duration.ofMinutes(1), store), captured);
        fixture.clock.advance(Duration.ofMinutes(3));
        verify(tolerating(Duration.ofMinutes(1), store), sign());

        WebhookVerifier widened = tolerating(Duration.ofMinutes(10), jdbc());

        Codes.assertRefused("webhook/expired", () -> verify(widened, captured));
        SignedWebhook fresh = sign();
        assertThat(verify(widened, fresh).id()).isEqualTo(fresh.id());
    }

    @Test
    void verifyWhenNarrowedAndWidenedAgainThenExpired() {
        tolerating(Duration.ofMinutes(10), jdbc());
        fixture.clock.advance(Duration.ofMinutes(1));
        SignedWebhook captured = sign();
        verify(tolerating(Duration.ofMinutes(1), jdbc()), captured);
        fixture.clock.advance(Duration.ofMinutes(3));

        WebhookVerifier widened = tolerating(Duration.ofMinutes(10), jdbc());

        Codes.assertRefused("webhook/expired", () -> verify(widened, captured));
    }

    @Test
    void verifyWhenTheNodeRestartedThenStillRemembered() {
        WebhookVerifier first = fixture.verifier().nonceStore(jdbc()).build();
        SignedWebhook accepted = sign();
        SignedWebhook onItsWay = sign();
        verify(first, accepted);
        fixture.clock.advance(Duration.ofMinutes(2));

        WebhookVerifier restarted = fixture.verifier().nonceStore(jdbc()).build();

        Codes.assertRefused("webhook/replay", () -> verify(restarted, accepted));
        assertThat(verify(restarted, onItsWay).id()).isEqualTo(onItsWay.id());
    }

    private WebhookVerifier tolerating(Duration tolerance, NonceStore store) {
        return fixture.verifier().tolerance(tolerance).nonceStore(store).build();
    }

    private NonceStore jdbc() {
        return new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA), fixture.clock);
    }

    private SignedWebhook sign() {
        return fixture.signer().build().sign(WebhookFixture.BODY);
    }

    private static VerifiedWebhook verify(WebhookVerifier verifier, SignedWebhook signed) {
        return verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed));
    }
}
