package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;

import io.credential.seal.internal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Receivers of Standard Webhooks verify with the library of that specification, or, for Ed25519, which that library lacks, with
 * the JDK. The library has no clock to set, so the dispatcher uses that of the system.
 */
@BothDatabases
class StandardWebhooksTests {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String PRIVATE_KEY =
            "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    private static final String BODY = "{\"item\":\"K\u00e4se\"}";

    @AutoClose
    private final HookReceiver receiver = new HookReceiver();

    private final DispatcherRows rows;

    @AutoClose
    private final JdbcWebhookDispatcher dispatcher;

    StandardWebhooksTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.dispatcher = DispatcherFixture.builder(
                        test.database(), Keyring.generate(new SecureRandom()), InstantSource.system())
                .dispatchWait(Duration.ofMinutes(1))
                .retryBackoff(new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 1, 0))
                .build();
    }

    @Test
    void deliveryWhenSecretIsGivenThenTheLibraryVerifies() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(SECRET));

        HookReceiver.Hook hook = sent();

        assertThat(endpoint)
                .returns(SignatureScheme.STANDARD_WEBHOOKS, Endpoint::scheme)
                .returns(null, Endpoint::publicKey);
        new Webhook(SECRET).verify(hook.body(), headers(hook));
        assertThatExceptionOfType(WebhookVerificationException.class)
                .isThrownBy(() -> new Webhook(SECRET).verify(hook.body() + " ", headers(hook)));
        assertThat(hook.headers().get("Webhook-signature"))
                .singleElement()
                .asString()
                .startsWith("v1,");
    }

    @Test
    void deliveryWhenGeneratedThenTheLibraryVerifies() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(null));

        String secret = Objects.requireNonNull(endpoint.secret());
        assertThat(secret).matches("whsec_[A-Za-z0-9+/]{43}=");
        HookReceiver.Hook hook = sent();
        new Webhook(secret).verify(hook.body(), headers(hook));
    }

    @Test
    void deliveryWhenRotatedThenTheLibraryVerifiesBoth() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        HookReceiver.Hook hook = sent();

        new Webhook(SECRET).verify(hook.body(), headers(hook));
        new Webhook(Objects.requireNonNull(rotated.secret())).verify(hook.body(), headers(hook));
        assertThat(hook.header("Webhook-signature")).matches("v1,[^ ]{44} v1,[^ ]{44}");
    }

    @Test
    void deliveryWhenRotatedWithoutOverlapThenOldIsRefused() {
        dispatcher.registerEndpoint(registration(SECRET));
        dispatcher.rotateSecret("shop", SecretRotation.generated().overlap(Duration.ZERO));

        HookReceiver.Hook hook = sent();

        assertThatExceptionOfType(WebhookVerificationException.class)
                .isThrownBy(() -> new Webhook(SECRET).verify(hook.body(), headers(hook)));
    }

    @Test
    void deliveryWhenPrivateKeyIsGivenThenTheJdkVerifies() throws Exception {
        Endpoint endpoint = dispatcher.registerEndpoint(registration(PRIVATE_KEY));

        assertThat(endpoint.publicKey()).isEqualTo("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
        assertThat(dispatcher.listEndpoints()).containsExactly(endpoint);
        assertThat(isVerified(sent(), 0, endpoint)).isTrue();
    }

    @Test
    void deliveryWhenPrivateKeyIsRotatedThenBothSign() throws Exception {
        Endpoint old = dispatcher.registerEndpoint(registration(PRIVATE_KEY));
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        assertThat(rotated.secret()).startsWith("whsk_");
        assertThat(rotated.publicKey()).startsWith("whpk_").isNotEqualTo(old.publicKey());
        HookReceiver.Hook hook = sent();
        assertThat(isVerified(hook, 0, rotated)).isTrue();
        assertThat(isVerified(hook, 1, old)).isTrue();
        assertThat(isVerified(hook, 0, old)).isFalse();
    }

    /** Each scheme signs with its own kind of secret, so receivers can move from one to the other. */
    @Test
    void deliveryWhenRotatedToPrivateKeyThenBothSign() throws Exception {
        dispatcher.registerEndpoint(registration(SECRET));
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.to(PRIVATE_KEY));

        HookReceiver.Hook hook = sent();

        assertThat(isVerified(hook, 0, rotated)).isTrue();
        new Webhook(SECRET).verify(hook.body(), headers(hook));
    }

    @Test
    void attemptWhenRepeatedThenTheIdIsTheSame() {
        receiver.answeringInTurn("/shop", 500, 200);
        dispatcher.registerEndpoint(registration(SECRET));
        String id = dispatcher.dispatch("e", BODY).deliveries().get(0).deliveryId();
        dispatcher.deliveries().retry(id);

        assertThat(receiver.hooks()).hasSize(2).allSatisfy(hook -> {
            assertThat(hook.header("Webhook-id")).isEqualTo(id);
            assertThatCode(() -> new Webhook(SECRET).verify(hook.body(), headers(hook)))
                    .doesNotThrowAnyException();
        });
    }

    @Test
    void registerWhenSecretIsOfAnotherSchemeThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registration("a secret of another scheme"))
                .withMessageContaining("whsec_")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void rotateWhenSecretIsOfAnotherSchemeThenRefused() {
        dispatcher.registerEndpoint(registration(SECRET));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.rotateSecret("shop", SecretRotation.to("a secret of another scheme")))
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void registerWhenSchemeChangesThenGeneratesAnother() throws Exception {
        dispatcher.registerEndpoint(
                EndpointRegistration.withGeneratedSecret("shop", receiver.url("/shop"), List.of("*")));

        String secret = Objects.requireNonNull(
                dispatcher.registerEndpoint(registration(null)).secret());

        HookReceiver.Hook hook = sent();
        new Webhook(secret).verify(hook.body(), headers(hook));
    }

    /** The bytes of the secret would be another key. */
    @Test
    void attemptWhenTheStoredSchemeWasChangedThenDead() {
        dispatcher.registerEndpoint(registration(SECRET));
        rows.sql("UPDATE {endpoints} SET scheme = 'credential'").update();

        assertThat(dispatcher.dispatch("e", BODY).deliveries()).singleElement().satisfies(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.DEAD);
            assertThat(delivery.lastError()).startsWith("integrity");
        });
        assertThat(receiver.hooks()).isEmpty();
    }

    private EndpointRegistration registration(@Nullable String secret) {
        EndpointRegistration registration = secret == null
                ? EndpointRegistration.withGeneratedSecret("shop", receiver.url("/shop"), List.of("*"))
                : EndpointRegistration.of("shop", receiver.url("/shop"), secret, "*");
        return registration.scheme(SignatureScheme.STANDARD_WEBHOOKS);
    }

    /** Returns what the receiver gets of a new event. */
    private HookReceiver.Hook sent() {
        receiver.hooks().clear();
        dispatcher.dispatch("e", BODY);
        return receiver.hooks().get(0);
    }

    /** The server of the test capitalizes names; the library of the receiver expects those of the specification. */
    private static Map<String, List<String>> headers(HookReceiver.Hook hook) {
        Map<String, List<String>> headers = new TreeMap<>();
        hook.headers().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        return headers;
    }

    private static boolean isVerified(HookReceiver.Hook hook, int index, Endpoint endpoint)
            throws GeneralSecurityException {
        byte[] x509 = HexFormat.of().parseHex("302a300506032b6570032100"); // the beginning for Ed25519 (RFC 8410)
        byte[] key = Base64.getDecoder()
                .decode(Objects.requireNonNull(endpoint.publicKey()).substring("whpk_".length()));
        byte[] encoded = Arrays.copyOf(x509, x509.length + key.length);
        System.arraycopy(key, 0, encoded, x509.length, key.length);
        String signature = hook.header("Webhook-signature").split(" ", -1)[index];
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
        verifier.update((hook.header("Webhook-id") + "." + hook.header("Webhook-timestamp") + "." + hook.body())
                .getBytes(StandardCharsets.UTF_8));
        return signature.startsWith("v1a,")
                && verifier.verify(Base64.getDecoder().decode(signature.substring("v1a,".length())));
    }
}
