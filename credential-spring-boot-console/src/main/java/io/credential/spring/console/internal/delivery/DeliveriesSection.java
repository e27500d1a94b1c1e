package io.credential.spring.console.internal.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.templates.JtedeliveriesGenerated;
import io.credential.spring.console.internal.templates.JtedeliveryGenerated;
import io.credential.spring.console.internal.templates.JtepayloadGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.history.DeliveryWithAttempts;

/** The log of deliveries. */
public final class DeliveriesSection implements ConsoleSection {

    static final int ROWS = 50;

    static final String PATH = "deliveries";

    private static final int ORDER = 10;
    private static final int TIME_DIGITS = 12;
    private static final int HEXADECIMAL = 16;
    private static final int SHOWN_BYTES = 65_536;

    private final WebhookOperations operations;
    private final DeliveryRetries retries;

    public DeliveriesSection(WebhookOperations operations) {
        this.operations = operations;
        this.retries = new DeliveryRetries(operations);
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Deliveries", ORDER));
    }

    @Override
    public List<OverviewPart<?>> overview() {
        return List.of(new FirstEndpointPart(operations), new DispatcherPart(operations), new WorkPart(operations));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        retries.addTo(routes);
        routes.page(PATH + "/{id}", this::show);
        routes.page(PATH + "/{id}/payload", Access.PAYLOADS, this::payload);
        routes.action(PATH + "/{id}/replay", Access.OPERATE, this::replay);
        routes.action(PATH + "/{id}/erase", Access.ADMIN, this::erase);
    }

    private Deliveries deliveries() {
        return operations.dispatcher().deliveries();
    }

    private Reply list(ConsoleRequest request) {
        DeliveryFilter filter = DeliveryFilter.of(request.parameters());
        DeliveryQuery query = filter.query().withLimit(ROWS);
        DeliveryPage page = deliveries()
                .search(request.parameters().text("cursor").map(query::after).orElse(query));
        DeliveryList list =
                new DeliveryList(filter, page.deliveries(), page.nextCursor(), dispatchedAt(page.nextCursor()));
        return Reply.page(
                "Deliveries", PATH, (output, frame) -> JtedeliveriesGenerated.render(output, null, frame, list));
    }

    /** The id of a delivery, which a cursor is, begins with the time of dispatch. */
    private static @Nullable Instant dispatchedAt(@Nullable String cursor) {
        return cursor == null
                ? null
                : Instant.ofEpochMilli(Long.parseLong(cursor.substring(0, TIME_DIGITS), HEXADECIMAL));
    }

    private Reply show(ConsoleRequest request) {
        DeliveryWithAttempts read = operations
                .dispatcher()
                .operatorViews()
                .delivery(request.path("id"), DeliveryDetail.SHOWN + 1)
                .orElseThrow(DeliveriesSection::notFound);
        Delivery delivery = read.delivery();
        @Nullable Endpoint endpoint =
                operations.dispatcher().getEndpoint(delivery.endpointId()).orElse(null);
        DeliveryDetail detail = new DeliveryDetail(
                delivery,
                endpoint == null ? null : request.operator().visibleUrl(endpoint.url()),
                endpoint == null ? null : endpoint.pausedAt(),
                read.attempts());
        return Reply.page(
                "Delivery", PATH, (output, frame) -> JtedeliveryGenerated.render(output, null, frame, detail));
    }

    private Delivery existing(ConsoleRequest request) {
        return deliveries().get(request.path("id")).orElseThrow(DeliveriesSection::notFound);
    }

    private static ConsoleException notFound() {
        return ConsoleException.notFound(
                "No delivery has this id. It may have been removed after the retention, or purged.");
    }

    /** A page apart, because each view is audited: the delivery itself is read again every few seconds. */
    private Reply payload(ConsoleRequest request) {
        Delivery delivery = existing(request);
        byte[] payload = deliveries()
                .payload(delivery.deliveryId())
                .orElseThrow(() -> ConsoleException.notFound("The payload of this delivery was erased."));
        int shown = Math.min(payload.length, SHOWN_BYTES);
        Payload view = new Payload(
                delivery.deliveryId(), new String(payload, 0, shown, StandardCharsets.UTF_8), shown, payload.length);
        return Reply.page("Payload", PATH, (output, frame) -> JtepayloadGenerated.render(output, null, frame, view));
    }

    private Reply replay(ConsoleRequest request) {
        return AttemptedDelivery.reply(operations.dispatcher().dlq().replay(request.path("id")));
    }

    /** All deliveries of the event have the same payload. */
    private Reply erase(ConsoleRequest request) {
        Delivery delivery = existing(request);
        ErasureQuery query = ErasureQuery.ofEvent(delivery.eventId());
        ErasureResult result = deliveries()
                .erasePayloads(request.parameters().isSelected("pending") ? query.includingPending() : query);
        return Reply.redirect(
                PATH + "/" + delivery.deliveryId(),
                result.skipped() == 0
                        ? "The payload was erased, for all deliveries of the event."
                        : "The payload was not erased, because a delivery of the event is pending or in flight.");
    }

    @Override
    public Optional<Problem> problem(RuntimeException exception) {
        return exception instanceof WebhookDispatcherException refused
                ? Optional.of(DispatcherProblems.of(refused))
                : Optional.empty();
    }
}
