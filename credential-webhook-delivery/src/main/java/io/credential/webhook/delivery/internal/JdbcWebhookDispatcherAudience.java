package io.credential.webhook.delivery.internal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.AudienceWebhooks;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointPage;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.RequestedRetry;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.history.AudienceDeliveries;

/** What one audience can see and do. Every statement has the audience as a condition, or follows one in its transaction. */
final class JdbcWebhookDispatcherAudience implements AudienceWebhooks {

    private final String audience;
    private final JdbcWebhookDispatcher dispatcher;
    private final JdbcWebhookDispatcherParts parts;
    private final AudienceDeliveries deliveries;
    private final PageCursors endpointCursors;
    private final PageCursors deliveryCursors;

    JdbcWebhookDispatcherAudience(String audience, JdbcWebhookDispatcher dispatcher, JdbcWebhookDispatcherParts parts) {
        this.audience = DispatcherRules.requireAudience(audience);
        this.dispatcher = dispatcher;
        this.parts = parts;
        this.deliveries = parts.history.of(audience);
        this.endpointCursors = new PageCursors(parts.sealer, "endpoints", audience);
        this.deliveryCursors = new PageCursors(parts.sealer, "deliveries", audience);
    }

    @Override
    public String audience() {
        return audience;
    }

    @Override
    public EndpointPage listEndpoints(@Nullable String cursor, int limit) {
        DispatcherRules.requireLimit(limit);
        List<Endpoint> found = parts.endpoints.reader.listOf(audience, endpointCursors.open(cursor), limit + 1);
        if (found.size() <= limit) {
            return new EndpointPage(found, null);
        }
        List<Endpoint> page = found.subList(0, limit);
        return new EndpointPage(page, endpointCursors.seal(page.get(limit - 1).endpointId()));
    }

    @Override
    public Optional<Endpoint> getEndpoint(String endpointId) {
        return parts.endpoints.reader.findOf(audience, endpointId);
    }

    @Override
    public Endpoint registerEndpoint(EndpointRegistration registration) {
        return dispatcher.registerEndpoint(
                DispatcherRules.require("registration", registration).audience(audience));
    }

    @Override
    public Endpoint rotateSecret(String endpointId, SecretRotation rotation) {
        DispatcherRules.require("rotation", rotation);
        return ifOwn(endpointId, () -> dispatcher.rotateSecret(endpointId, rotation))
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.NOT_FOUND, "No endpoint has this id"));
    }

    @Override
    public boolean pauseEndpoint(String endpointId) {
        return ifOwn(endpointId, () -> dispatcher.pauseEndpoint(endpointId)).orElse(false);
    }

    @Override
    public boolean resumeEndpoint(String endpointId) {
        return ifOwn(endpointId, () -> dispatcher.resumeEndpoint(endpointId)).orElse(false);
    }

    @Override
    public boolean removeEndpoint(String endpointId) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.remover.remove(endpointId, audience);
    }

    @Override
    public Delivery sendTestEvent(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        dispatcher.requireOpen();
        return AudienceDeliveries.shown(
                parts.dispatcher.sendTest(endpointId, audience, parts.context.longestAttempt()));
    }

    @Override
    public DeliveryPage searchDeliveries(DeliveryQuery query, @Nullable String cursor) {
        DispatcherRules.require("query", query);
        DispatcherRules.requireThat(
                query.audience() == null && query.reason() == null && query.cursor() == null,
                "query must have neither an audience nor a reason nor a cursor; pass the cursor beside it");
        String after = deliveryCursors.open(cursor);
        String endpointId = query.endpointId();
        if (endpointId != null && !parts.endpoints.reader.existsOf(audience, endpointId)) {
            // How many deliveries of another audience were examined must not show.
            return new DeliveryPage(List.of(), null);
        }
        DeliveryPage page = deliveries.search(after == null ? query : query.after(after));
        return new DeliveryPage(page.deliveries(), deliveryCursors.seal(page.nextCursor()));
    }

    @Override
    public Optional<Delivery> getDelivery(String deliveryId) {
        return deliveries.get(deliveryId);
    }

    @Override
    public List<DeliveryAttempt> attempts(String deliveryId) {
        return deliveries.attempts(deliveryId);
    }

    @Override
    public Delivery retry(String deliveryId) {
        return deliveries.retry(deliveryId);
    }

    @Override
    public List<RequestedRetry> retry(Collection<String> deliveryIds) {
        return deliveries.retry(deliveryIds);
    }

    /** Returns the result of a change of an endpoint of this audience, which is locked meanwhile; empty if there is none. */
    private <T> Optional<T> ifOwn(String endpointId, Supplier<T> change) {
        parts.callerTransaction.requireWritable();
        return parts.context
                .database()
                .inTransaction(() -> parts.endpoints.reader.lockOf(audience, endpointId)
                        ? Optional.of(change.get())
                        : Optional.<T>empty());
    }
}
