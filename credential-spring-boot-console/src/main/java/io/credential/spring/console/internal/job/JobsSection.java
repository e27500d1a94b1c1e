package io.credential.spring.console.internal.job;

import java.util.List;

import io.credential.spring.console.internal.templates.JtejobGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.BulkJob;

/** Bulk retries. The overview lists those that have not finished. */
public final class JobsSection implements ConsoleSection {

    private static final String PATH = "jobs/";

    private final WebhookOperations operations;

    public JobsSection(WebhookOperations operations) {
        this.operations = operations;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of();
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH + "{id}", this::show);
        routes.action(PATH + "{id}/cancel", Access.OPERATE, this::cancel);
    }

    private Reply show(ConsoleRequest request) {
        BulkJob job = operations.job(request.path("id"));
        return Reply.page(
                "Bulk retry", "deliveries", (output, page) -> JtejobGenerated.render(output, null, page, job));
    }

    private Reply cancel(ConsoleRequest request) {
        BulkJob job = operations.dispatcher().deliveries().cancelJob(request.path("id"));
        return Reply.redirect(
                PATH + job.id(), "The bulk retry was cancelled. Deliveries that it had made due stay due.");
    }
}
