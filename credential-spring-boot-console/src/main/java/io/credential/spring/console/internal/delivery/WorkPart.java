package io.credential.spring.console.internal.delivery;

import java.util.List;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.templates.JteoverviewworkGenerated;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Endpoint;

/** Paused endpoints and running jobs. */
public final class WorkPart implements OverviewPart<WorkPart.Work> {

    /** How many paused endpoints are shown. */
    public static final int PAUSED = 10;

    private static final int ORDER = 20;

    private final WebhookOperations operations;

    WorkPart(WebhookOperations operations) {
        this.operations = operations;
    }

    /**
     * @param paused those that were paused last
     * @param jobs the oldest first
     */
    public record Work(List<Endpoint> paused, List<BulkJob> jobs) {}

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public Work read() {
        return new Work(
                operations.dispatcher().operatorViews().pausedEndpoints(PAUSED),
                operations.dispatcher().deliveries().openJobs());
    }

    @Override
    public void render(HtmlTemplateOutput output, Work work) {
        JteoverviewworkGenerated.render(output, null, work);
    }
}
