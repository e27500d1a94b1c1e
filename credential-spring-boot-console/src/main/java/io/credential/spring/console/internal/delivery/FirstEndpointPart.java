package io.credential.spring.console.internal.delivery;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.templates.JteoverviewfirstGenerated;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.WebhookOperations;

/** Shows example code until the first endpoint is registered. */
final class FirstEndpointPart implements OverviewPart<Boolean> {

    private static final int ORDER = 5;

    private final WebhookOperations operations;

    FirstEndpointPart(WebhookOperations operations) {
        this.operations = operations;
    }

    @Override
    public int order() {
        return ORDER;
    }

    /** Returns whether no endpoint is registered. */
    @Override
    public Boolean read() {
        return operations.dispatcher().listEndpoints(null, 1).isEmpty();
    }

    @Override
    public void render(HtmlTemplateOutput output, Boolean isMissing) {
        if (isMissing) {
            JteoverviewfirstGenerated.render(output, null);
        }
    }
}
