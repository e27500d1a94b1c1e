package io.credential.spring.console.internal.endpoint;

import java.util.List;

import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.event.WebhookEventCatalog;

/** Has pages about endpoints that another operator removes after they were found. */
public final class RemovedMeanwhileSection implements ConsoleSection {

    private final EndpointLookup lookup;
    private final WebhookEventCatalog catalog;

    public RemovedMeanwhileSection(WebhookOperations operations, WebhookEventCatalog catalog) {
        this.lookup = new EndpointLookup(operations);
        this.catalog = catalog;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of();
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        EndpointActions actions = new EndpointActions(lookup);
        routes.page("removed-meanwhile/{id}/pause", removing(actions::pause));
        routes.page("removed-meanwhile/{id}/resume", removing(actions::resume));
        routes.page("removed-meanwhile/{id}/test", removing(actions::test));
        routes.page("removed-meanwhile/{id}/remove", removing(actions::remove));
        routes.page("removed-meanwhile/{id}/save", removing(new EndpointEditor(lookup, catalog)::save));
    }

    private ConsoleRoutes.Handler removing(EndpointLookup.Handler action) {
        return lookup.with((request, endpoint) -> {
            lookup.dispatcher().removeEndpoint(endpoint.endpointId());
            return action.handle(request, endpoint);
        });
    }
}
