package io.credential.webhook.delivery;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.internal.DispatcherOption;
import io.credential.webhook.delivery.internal.DispatcherRules;

/**
 * How the secret of an endpoint is replaced. Immutable; does not print the secret.
 *
 * @since 0.1.0
 */
public final class SecretRotation {

    private final @Nullable SecretBytes secret;
    private final @Nullable Duration overlap;

    private SecretRotation(@Nullable SecretBytes secret, @Nullable Duration overlap) {
        this.secret = secret;
        this.overlap = overlap;
    }

    /** The dispatcher generates the new secret. */
    public static SecretRotation generated() {
        return new SecretRotation(null, null);
    }

    /**
     * The new secret is given.
     *
     * @param secret as for {@link EndpointRegistration#of(String, String, java.util.Collection, String)}
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or out of range
     */
    public static SecretRotation to(@Nullable String secret) {
        return new SecretRotation(DispatcherRules.requireSecret(secret), null);
    }

    /**
     * Returns a copy with another overlap.
     *
     * @param overlap how long requests are signed with the old secret too, or, with {@link SignatureScheme#GITHUB},
     *     instead; zero to stop at once, at most 7 days; default:
     *     that of the dispatcher
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or out of range
     */
    public SecretRotation overlap(Duration overlap) {
        DispatcherOption.SECRET_OVERLAP.require(DispatcherRules.require("overlap", overlap));
        return new SecretRotation(secret, overlap);
    }

    /**
     * Returns the new secret, for implementations of {@link WebhookDispatcher}; null if it is to be generated. It is shared:
     * do not close it.
     */
    public @Nullable SecretBytes secret() {
        return secret;
    }

    /** Returns the overlap, or null for that of the dispatcher. */
    public @Nullable Duration overlap() {
        return overlap;
    }

    @Override
    public String toString() {
        return "SecretRotation[" + (secret == null ? "generated" : "given") + ", overlap=" + overlap + "]";
    }
}
