package io.credential.webhook.delivery.internal.endpoint;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.SecretCells;

/**
 * Replaces the secrets of endpoints. Requests are signed with the old secret too until the overlap ends, by the clock of the
 * node that signs; the old secret is erased some time later. Thread-safe.
 */
public final class SecretRotator {

    private static final String ROTATED = "webhook.endpoint.rotate-secret";

    private static final String ROTATE = """
            UPDATE {endpoints}
            SET secret = :secret, secret_number = :number, previous_secret = :previous, previous_until = :until
            WHERE endpoint_id = :endpointId AND secret = :read""";

    private static final String ERASE = """
            UPDATE {endpoints} SET previous_secret = NULL, previous_until = NULL
            WHERE previous_until <= :now AND endpoint_id {is_one_of_expired}""";

    private static final String SELECT_EXPIRED =
            "SELECT e.endpoint_id FROM {endpoints} e WHERE e.previous_until <= :now";

    private final DispatcherContext context;
    private final EndpointSecrets secrets;
    private final EndpointReader endpoints;
    private final Consumer<String> onChange;
    private final AuditTrail audit;
    private final String erase;

    /** @param onChange called with the id of an endpoint after its secret was replaced, and that was committed */
    public SecretRotator(
            DispatcherContext context,
            EndpointSecrets secrets,
            EndpointReader endpoints,
            Consumer<String> onChange,
            AuditTrail audit) {
        this.context = context;
        this.secrets = secrets;
        this.endpoints = endpoints;
        this.onChange = onChange;
        this.audit = audit;
        this.erase = ERASE.replace(
                "{is_one_of_expired}", context.database().dialect().isOneUnlockedOf(SELECT_EXPIRED));
    }

    /**
     * Replaces the secret of an endpoint.
     *
     * @return the endpoint, with its secret if that was generated
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} if no endpoint has this id, {@code
     *     webhook-dispatcher/unreadable-secret} if its secret cannot be opened, {@code webhook-dispatcher/bad-opts} if its
     *     scheme cannot sign with the new one, {@code webhook-dispatcher/endpoint-conflict} if it is changed at the same
     *     time
     */
    public Endpoint rotate(String endpointId, SecretRotation rotation) {
        DispatcherRules.require("endpointId", endpointId);
        DispatcherRules.require("rotation", rotation);
        if (!DispatcherRules.isName(endpointId)) {
            throw notFound();
        }
        Duration given = rotation.overlap();
        Duration overlap = given == null ? context.options().secretOverlap() : given;
        return context.database().inTransaction(() -> {
            SealedEndpoint read = SealedEndpoint.find(context.database().jdbc(), context.tables(), endpointId)
                    .orElseThrow(SecretRotator::notFound);
            SecretBytes secret = rotation.secret();
            if (secret == null) {
                return generate(read, overlap);
            }
            DispatcherRules.requireSecret(read.secrets().scheme(), secret);
            EndpointSecrets.warnIfWeak(endpointId, secret);
            return rotate(read, secret, overlap, null);
        });
    }

    /** Erases the old secrets whose overlap has ended, except those of endpoints that others have locked. */
    public void eraseExpired() {
        var unused = context.database()
                .write(() -> context.sql(erase)
                        .param("now", context.clock().millis())
                        .update());
    }

    private Endpoint generate(SealedEndpoint read, Duration overlap) {
        String generated = readable(read, () -> secrets.generate(read.binding(), read.secrets()));
        try (SecretBytes secret = EndpointSecrets.bytes(generated)) {
            return rotate(read, secret, overlap, generated);
        }
    }

    private Endpoint rotate(SealedEndpoint read, SecretBytes secret, Duration overlap, @Nullable String generated) {
        String endpointId = read.binding().endpointId();
        long until = overlap.isZero() ? 0 : context.clock().millis() + overlap.toMillis();
        SecretCells rotated = readable(read, () -> secrets.rotate(read.binding(), read.secrets(), secret, until));
        int changed = context.sql(ROTATE)
                .param("endpointId", endpointId)
                .param("secret", rotated.current())
                .param("number", rotated.number())
                .param("previous", rotated.previous())
                .param("until", rotated.previous() == null ? null : until)
                .param("read", read.secrets().current())
                .update();
        if (changed != 1) {
            audit.failure(ROTATED, "endpoint-conflict", endpointId, Map.of());
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.ENDPOINT_CONFLICT,
                    "The endpoint " + endpointId + " was changed while its secret was replaced; replace it again");
        }
        context.database().afterCommit(() -> onChange.accept(endpointId));
        context.database()
                .afterCommit(audit.successReport(
                        ROTATED,
                        endpointId,
                        Map.of(
                                "kid", EndpointSecrets.kid(rotated),
                                "generated", generated != null,
                                "overlapMillis", overlap.toMillis())));
        Endpoint endpoint = endpoints.find(endpointId).orElseThrow(SecretRotator::notFound);
        return generated == null ? endpoint : endpoint.withSecret(generated);
    }

    private <T> T readable(SealedEndpoint read, Supplier<T> opening) {
        String endpointId = read.binding().endpointId();
        try {
            return EndpointSecrets.readable("The secret of endpoint " + endpointId, opening);
        } catch (WebhookDispatcherException e) {
            audit.failure(ROTATED, "unreadable-secret", endpointId, Map.of());
            throw e;
        }
    }

    private static WebhookDispatcherException notFound() {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, "No endpoint has this id");
    }
}
