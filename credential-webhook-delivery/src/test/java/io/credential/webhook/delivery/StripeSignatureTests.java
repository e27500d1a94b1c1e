package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/** Receivers of the scheme {@code stripe} verify with the library of Stripe, or with the verifier of this one. */
@BothDatabases
class StripeSignatureTests extends DispatcherTestBase {

    private static final String SECRET = "whsec_correct horse battery";
    private static final String BODY = "{\"item\":\"K\u00e4se\"}";
    private static final long TOLERANCE = 300;
    private static final Duration OVERLAP = Duration.ofHours(2);

    StripeSignatureTests(TestDatabase test) {
        super(test);
    }

    @Test
    void deliveryThenStripeVerifiesTheBody() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(SECRET));

        HookReceiver.Hook hook = sent();

        assertThat(endpoint)
                .returns(SignatureScheme.STRIPE, Endpoint::scheme)
                .returns("Stripe-Signature", Endpoint::signatureHeader)
                .returns(null, Endpoint::publicKey);
        assertVerified(hook, SECRET);
        assertThatExceptionOfType(SignatureVerificationException.class)
                .isThrownBy(() -> stripe(hook.header("Stripe-signature"), hook.body() + " ", SECRET));
        assertThat(hook.headers()).doesNotContainKey("Webhook-signature");
    }

    @Test
    void deliveryThenTheVerifierOfThisLibraryAccepts() {
        dispatcher.registerEndpoint(registration(SECRET));

        HookReceiver.Hook hook = sent();

        assertThat(WebhookVerifier.builder()
                        .scheme(WebhookSchemes.stripe())
                        .key("v1", SECRET)
                        .clock(fixture.clock)
                        .build()
                        .verify(hook.body().getBytes(StandardCharsets.UTF_8), hook.headers())
                        .timestamp())
                .isEqualTo(fixture.clock.instant().getEpochSecond());
    }

    @Test
    void deliveryWhenGeneratedThenStripeVerifies() throws Exception {
        String secret = Objects.requireNonNull(
                dispatcher.registerEndpoint(registration(null)).secret());

        assertThat(secret).matches("whsec_[0-9a-f]{64}");
        assertVerified(sent(), secret);
    }

    @Test
    void deliveryWhenRotatedThenStripeVerifiesBoth() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        HookReceiver.Hook hook = sent();

        assertVerified(hook, SECRET);
        assertVerified(hook, Objects.requireNonNull(rotated.secret()));
        assertThat(hook.header("Stripe-signature")).matches("t=[0-9]+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}");
    }

    @Test
    void deliveryWhenTheOverlapHasEndedThenOldIsRefused() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        dispatcher.rotateSecret("shop", SecretRotation.to("another secret").overlap(OVERLAP));
        fixture.clock.advance(OVERLAP);

        HookReceiver.Hook hook = sent();

        assertVerified(hook, "another secret");
        assertThatExceptionOfType(SignatureVerificationException.class).isThrownBy(() -> assertVerified(hook, SECRET));
    }

    @Test
    void attemptWhenRepeatedThenIsSignedAnew() throws Exception {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        dispatcher.registerEndpoint(registration(SECRET));
        String id = dispatcher.dispatch("e", BODY).deliveries().get(0).deliveryId();
        fixture.clock.advance(Duration.ofHours(1));

        dispatcher.deliveries().retry(id);

        assertVerified(fixture.receiver.hooks().get(1), SECRET);
    }

    /** Its value is shown with the attempt, as that of any signature is. */
    @Test
    void deliveryWhenTheHeaderIsNamedThenItHasTheSignature() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(SECRET).signatureHeader("X-Webhook-Signature"));

        HookReceiver.Hook hook = sent();

        String header = hook.header("X-webhook-signature");
        assertThat(stripe(header, hook.body(), SECRET)).isTrue();
        assertThat(hook.headers()).doesNotContainKey("Stripe-signature");
        assertThat(endpoint.signatureHeader()).isEqualTo("X-Webhook-Signature");
        assertThat(dispatcher.listEndpoints()).containsExactly(endpoint);
        String id = hook.header("X-webhook-delivery-id");
        assertThat(dispatcher.deliveries().attempts(id).get(0).requestHeaders())
                .contains(entry("X-Webhook-Signature", header));
    }

    private EndpointRegistration registration(@Nullable String secret) {
        String url = fixture.receiver.url("/shop");
        EndpointRegistration registration = secret == null
                ? EndpointRegistration.withGeneratedSecret("shop", url, List.of("*"))
                : EndpointRegistration.of("shop", url, secret, "*");
        return registration.scheme(SignatureScheme.STRIPE);
    }

    /** Returns what the receiver gets of a new event. */
    private HookReceiver.Hook sent() {
        fixture.receiver.hooks().clear();
        dispatcher.dispatch("e", BODY);
        return fixture.receiver.hooks().get(0);
    }

    private void assertVerified(HookReceiver.Hook hook, String secret) throws SignatureVerificationException {
        assertThat(stripe(hook.header("Stripe-signature"), hook.body(), secret)).isTrue();
    }

    private boolean stripe(String header, String body, String secret) throws SignatureVerificationException {
        Clock clock = Clock.fixed(fixture.clock.instant(), ZoneOffset.UTC);
        return Webhook.Signature.verifyHeader(body, header, secret, TOLERANCE, clock);
    }
}
