package io.credential.spring.autoconfigure.properties.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.ConstructorBinding;
import org.springframework.boot.context.properties.bind.Name;

import io.credential.secret.SecretBytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A configured key: one secret, or the PEM of a private and a public key, each as text or as the location of a
 * resource. Never printed. Immutable.
 */
public final class WebhookKey {

    private final @Nullable SecretBytes secret;
    private final @Nullable SecretBytes privateKey;
    private final @Nullable SecretBytes publicKey;

    /**
     * @param privateKey Private key as PEM text (PKCS#8) or the location of a resource; for signers with 'pqc-pem'.
     * @param publicKey Public key as PEM text (X.509) or the location of a resource; for 'pqc-pem'.
     */
    @ConstructorBinding
    public WebhookKey(
            @Nullable @Name("private-key") String privateKey, @Nullable @Name("public-key") String publicKey) {
        this(null, bytes(privateKey), bytes(publicKey));
    }

    private WebhookKey(
            @Nullable SecretBytes secret, @Nullable SecretBytes privateKey, @Nullable SecretBytes publicKey) {
        this.secret = secret;
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    /** Returns a key whose secret is the value of its kid. */
    public static WebhookKey of(String secret) {
        return new WebhookKey(bytes(secret), null, null);
    }

    /** Returns the secret, or null for a key of {@code pqc-pem}. */
    public @Nullable SecretBytes secret() {
        return secret;
    }

    /** Returns the private key, or null if it is not configured. */
    public @Nullable SecretBytes privateKey() {
        return privateKey;
    }

    /** Returns the public key, or null if it is not configured. */
    public @Nullable SecretBytes publicKey() {
        return publicKey;
    }

    @Override
    public String toString() {
        return "WebhookKey[not shown]";
    }

    private static @Nullable SecretBytes bytes(@Nullable String text) {
        return text == null || text.isEmpty() ? null : SecretBytes.copyOf(text.getBytes(UTF_8));
    }
}
