package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.RequestHeaders;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static org.assertj.core.api.Assertions.assertThat;

/** Receivers of the scheme {@code github} verify with the JDK alone, or with the verifier of this library. */
@BothDatabases
class GitHubSignatureTests extends DispatcherTestBase {

    private static final String SECRET = "It's a Secret to Everybody";
    private static final String BODY = "{\"item\":\"K\u00e4se\"}";
    private static final Duration OVERLAP = Duration.ofHours(2);

    GitHubSignatureTests(TestDatabase test) {
        super(test);
    }

    @Test
    void deliveryThenTheJdkVerifiesTheBody() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(SECRET));

        HookReceiver.Hook hook = sent();

        assertThat(endpoint)
                .returns(SignatureScheme.GITHUB, Endpoint::scheme)
                .returns("X-Hub-Signature-256", Endpoint::signatureHeader)
                .returns(null, Endpoint::publicKey);
        assertThat(hook.header("X-hub-signature-256")).isEqualTo("sha256=" + hmac(SECRET, BODY));
        assertThat(hook.headers()).doesNotContainKey("Webhook-signature");
    }

    /** The example of the documentation of GitHub. */
    @Test
    void deliveryWhenDocumentedThenTheSignatureIsKnown() {
        dispatcher.registerEndpoint(registration(SECRET));

        dispatcher.dispatch("e", "Hello, World!");

        assertThat(fixture.receiver.hooks().get(0).header("X-hub-signature-256"))
                .isEqualTo("sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
    }

    /** With the names of GitHub for the id and the type, which nothing signs. */
    @Test
    void deliveryThenTheVerifierOfThisLibraryAccepts() {
        dispatcher.registerEndpoint(registration(SECRET));
        WebhookDispatcher node = fixture.node(options ->
                options.requestHeaders(new RequestHeaders("X-GitHub-Delivery", "", "X-GitHub-Event", "", "")));

        String id = node.dispatch("push", BODY).deliveries().get(0).deliveryId();

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(WebhookVerifier.builder()
                        .scheme(WebhookSchemes.gitHub())
                        .key("v1", SECRET)
                        .build()
                        .verify(hook.body().getBytes(StandardCharsets.UTF_8), hook.headers()))
                .returns(id, VerifiedWebhook::id);
        assertThat(hook.header("X-github-event")).isEqualTo("push");
    }

    @Test
    void deliveryWhenGeneratedThenTheJdkVerifies() throws Exception {
        String secret = Objects.requireNonNull(
                dispatcher.registerEndpoint(registration(null)).secret());

        assertThat(secret).matches("[0-9a-f]{64}");
        assertThat(sent().header("X-hub-signature-256")).isEqualTo("sha256=" + hmac(secret, BODY));
    }

    /** The receiver can add the new secret until the overlap ends, and is never sent what it cannot verify. */
    @Test
    void deliveryWhenRotatedThenOldSignsUntilTheOverlapEnds() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        dispatcher.rotateSecret("shop", SecretRotation.to("another secret").overlap(OVERLAP));

        fixture.clock.advance(OVERLAP.minusMillis(1));
        String during = sent().header("X-hub-signature-256");
        fixture.clock.advance(Duration.ofMillis(1));
        String afterwards = sent().header("X-hub-signature-256");

        assertThat(during).isEqualTo("sha256=" + hmac(SECRET, BODY));
        assertThat(afterwards).isEqualTo("sha256=" + hmac("another secret", BODY));
    }

    @Test
    void deliveryWhenRotatedTwiceThenTheSecondSigns() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        dispatcher.rotateSecret("shop", SecretRotation.to("the second secret"));
        dispatcher.rotateSecret("shop", SecretRotation.to("the third secret"));

        assertThat(sent().header("X-hub-signature-256")).isEqualTo("sha256=" + hmac("the second secret", BODY));
    }

    @Test
    void deliveryWhenRotatedWithoutOverlapThenNewSigns() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        dispatcher.rotateSecret("shop", SecretRotation.to("another secret").overlap(Duration.ZERO));

        assertThat(sent().header("X-hub-signature-256")).isEqualTo("sha256=" + hmac("another secret", BODY));
    }

    @Test
    void deliveryWhenTheHeaderIsNamedThenItHasTheSignature() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET).signatureHeader("Webhook-Signature"));

        HookReceiver.Hook hook = sent();

        assertThat(hook.header("Webhook-signature")).isEqualTo("sha256=" + hmac(SECRET, BODY));
        assertThat(hook.headers()).doesNotContainKey("X-hub-signature-256");
    }

    private EndpointRegistration registration(@Nullable String secret) {
        String url = fixture.receiver.url("/shop");
        EndpointRegistration registration = secret == null
                ? EndpointRegistration.withGeneratedSecret("shop", url, List.of("*"))
                : EndpointRegistration.of("shop", url, secret, "*");
        return registration.scheme(SignatureScheme.GITHUB);
    }

    /** Returns what the receiver gets of a new event. */
    private HookReceiver.Hook sent() {
        fixture.receiver.hooks().clear();
        dispatcher.dispatch("e", BODY);
        return fixture.receiver.hooks().get(0);
    }

    private static String hmac(String secret, String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }
}
