package io.credential.spring.console.internal.delivery;

import org.jspecify.annotations.Nullable;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.templates.JteoverviewwebhooksGenerated;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.spring.operations.internal.WebhookOperations.CountedBacklog;

/** The backlog, the attempts of the last day, and dead deliveries. */
final class DispatcherPart implements OverviewPart<DispatcherOverview.Read> {

    private static final int ORDER = 10;

    private final WebhookOperations operations;

    DispatcherPart(WebhookOperations operations) {
        this.operations = operations;
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public DispatcherOverview.Read read() {
        return new DispatcherOverview.Read(
                operations.dispatcher().statistics().lastDay(),
                operations.dispatcher().dlq().groups());
    }

    @Override
    public void render(HtmlTemplateOutput output, DispatcherOverview.Read read) {
        show(output, read);
    }

    @Override
    public void renderUnread(HtmlTemplateOutput output) {
        show(output, null);
    }

    private void show(HtmlTemplateOutput output, DispatcherOverview.@Nullable Read read) {
        @Nullable CountedBacklog backlog = operations.backlog().orElse(null);
        DispatcherOverview overview = new DispatcherOverview(
                backlog == null ? null : backlog.numbers(),
                backlog == null || backlog.complete(),
                operations.dispatcher().activity(),
                read);
        JteoverviewwebhooksGenerated.render(output, null, overview);
    }
}
