package io.credential.spring.console.internal.delivery;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.templates.JteretryGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.RequestedRetry;
import io.credential.webhook.delivery.RetryOutcome;

/** Sends deliveries again: one, those that are selected, or all that match a filter. */
final class DeliveryRetries {

    private static final int MAX_SELECTED = DeliveriesSection.ROWS;

    /** Counting stops after as many pages of a search, each of which has a limited cost. */
    private static final int MAX_PAGES = 10;

    private final WebhookOperations operations;

    DeliveryRetries(WebhookOperations operations) {
        this.operations = operations;
    }

    /** Call this before adding {@code deliveries/{id}}, which would match the page of bulk retries. */
    void addTo(ConsoleRoutes routes) {
        routes.form(DeliveriesSection.PATH + "/retry", Access.OPERATE, this::preview);
        routes.action(DeliveriesSection.PATH + "/retry", Access.OPERATE, this::retryAll);
        routes.action(DeliveriesSection.PATH + "/retry-selected", Access.OPERATE, this::retrySelected);
        routes.action(DeliveriesSection.PATH + "/{id}/retry", Access.OPERATE, this::retry);
    }

    private Reply retry(ConsoleRequest request) {
        String id = request.path("id");
        return AttemptedDelivery.reply(operations.dispatcher().deliveries().retry(id));
    }

    private Reply retrySelected(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        List<String> ids = parameters.all("id");
        if (ids.isEmpty() || ids.size() > MAX_SELECTED) {
            throw ConsoleException.badRequest("Select 1 to " + MAX_SELECTED + " deliveries.");
        }
        List<RequestedRetry> results = operations.dispatcher().deliveries().retry(ids);
        long retried = results.stream()
                .filter(result -> result.outcome() == RetryOutcome.RETRIED)
                .count();
        return Reply.redirect(
                DeliveriesSection.PATH + "?"
                        + DeliveryFilter.of(parameters).values().urlQuery(),
                "Retried: %s. Not retried: %s."
                        .formatted(Formats.count(retried), Formats.count(results.size() - retried)));
    }

    private Reply preview(ConsoleRequest request) {
        DeliveryFilter filter = DeliveryFilter.of(request.parameters());
        if (filter.isEmpty()) {
            throw ConsoleException.badRequest("Choose a filter first: all deliveries of the log are never retried.");
        }
        RetryPreview preview = count(filter);
        return Reply.page(
                "Retry deliveries",
                DeliveriesSection.PATH,
                (output, page) -> JteretryGenerated.render(output, null, page, preview));
    }

    /** Counts what a job would retry, at a limited cost. */
    private RetryPreview count(DeliveryFilter filter) {
        DeliveryQuery query = filter.query().withLimit(DeliveryQuery.MAX_LIMIT);
        long count = 0;
        @Nullable String cursor = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            DeliveryPage found =
                    operations.dispatcher().deliveries().search(cursor == null ? query : query.after(cursor));
            count += found.deliveries().stream()
                    .filter(delivery ->
                            delivery.status() != DeliveryStatus.IN_FLIGHT && delivery.payloadErasedAt() == null)
                    .count();
            cursor = found.nextCursor();
            if (cursor == null) {
                return new RetryPreview(filter, count, true);
            }
        }
        return new RetryPreview(filter, count, false);
    }

    private Reply retryAll(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        RetryPreview preview = count(DeliveryFilter.of(parameters));
        if (preview.mustBeTyped()) {
            parameters.requireTyped(String.valueOf(preview.count()));
        }
        BulkJob job = operations.retryAll(preview.filter().query());
        return Reply.redirect("jobs/" + job.id(), "The bulk retry has started.");
    }
}
