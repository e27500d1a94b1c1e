package io.credential.spring.console.internal.delivery;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.console.internal.templates.JtedeliveriesGenerated;
import io.credential.spring.console.internal.templates.JtedeliveryGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Notice;
import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.web.WebhookDispatcherExceptionHandler;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** The log of deliveries. */
public final class DeliveriesSection implements ConsoleSection {

    static final int ROWS = 50;

    private static final String PATH = "deliveries";
    private static final int ORDER = 10;
    private static final int TIME_DIGITS = 12;
    private static final int HEXADECIMAL = 16;

    private static final WebhookDispatcherExceptionHandler PROBLEMS = new WebhookDispatcherExceptionHandler();

    private final DispatcherWatch watch;

    public DeliveriesSection(DispatcherWatch watch) {
        this.watch = watch;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Deliveries", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.page(PATH + "/{id}", this::show);
        routes.action(PATH + "/{id}/retry", Access.OPERATE, this::retry);
    }

    private Reply list(ConsoleRequest request) {
        DeliveryFilter filter = DeliveryFilter.of(request.parameters());
        DeliveryQuery query = filter.query().withLimit(ROWS);
        DeliveryPage page = dispatcher()
                .deliveries()
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
        String id = request.path("id");
        Delivery delivery = dispatcher()
                .deliveries()
                .get(id)
                .orElseThrow(() -> ConsoleException.notFound(
                        "No delivery has this id. It may have been removed after the retention."));
        @Nullable String url = dispatcher()
                .getEndpoint(delivery.endpointId())
                .map(endpoint -> request.operator().can(Access.PAYLOADS) ? endpoint.url() : host(endpoint.url()))
                .orElse(null);
        DeliveryDetail detail =
                new DeliveryDetail(delivery, url, dispatcher().deliveries().attempts(id), null);
        return Reply.page(
                "Delivery", PATH, (output, frame) -> JtedeliveryGenerated.render(output, null, frame, detail));
    }

    /** The path and the query of a URL may contain a secret. */
    private static String host(String url) {
        return Optional.ofNullable(URI.create(url).getHost()).orElse("");
    }

    private Reply retry(ConsoleRequest request) {
        String id = request.path("id");
        dispatcher().deliveries().retry(id);
        return Reply.redirect(PATH + "/" + id, Notice.of(Notice.Kind.RETRIED));
    }

    @Override
    public Optional<Problem> problem(RuntimeException exception) {
        return exception instanceof WebhookDispatcherException refused
                ? Optional.of(Problem.of(PROBLEMS.handle(refused)))
                : Optional.empty();
    }

    private WebhookDispatcher dispatcher() {
        return watch.dispatcher()
                .orElseThrow(() -> ConsoleException.conflict("The webhook dispatcher has not been created."));
    }
}
