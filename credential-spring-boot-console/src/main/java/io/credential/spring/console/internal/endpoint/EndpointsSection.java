package io.credential.spring.console.internal.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.credential.spring.console.internal.templates.JteendpointGenerated;
import io.credential.spring.console.internal.templates.JteendpointsGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.event.WebhookEventCatalog;

/** The endpoints. */
public final class EndpointsSection implements ConsoleSection {

    static final String PATH = "endpoints";

    /** Not below the path of the list, where ids follow. */
    static final String NEW = "new-endpoint";

    static final int ROWS = 50;

    private static final int ORDER = 20;
    private static final String ONE = PATH + "/{id}";

    private final EndpointLookup lookup;
    private final EndpointEditor editor;
    private final EndpointActions actions;
    private final Duration overlap;

    /** @param overlap how long the previous secret signs too after a rotation, by default */
    public EndpointsSection(WebhookOperations operations, WebhookEventCatalog catalog, Duration overlap) {
        this.lookup = new EndpointLookup(operations);
        this.editor = new EndpointEditor(lookup, catalog);
        this.actions = new EndpointActions(lookup);
        this.overlap = overlap;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Endpoints", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.form(NEW, Access.OPERATE, editor::blank);
        routes.action(NEW, Access.OPERATE, editor::create);
        routes.page(ONE, lookup.with(this::show));
        routes.form(ONE + "/edit", Access.OPERATE, lookup.with(editor::filled));
        routes.action(ONE + "/edit", Access.OPERATE, lookup.with(editor::save));
        routes.action(ONE + "/pause", Access.OPERATE, lookup.with(actions::pause));
        routes.action(ONE + "/resume", Access.OPERATE, lookup.with(actions::resume));
        routes.action(ONE + "/test", Access.OPERATE, lookup.with(actions::test));
        routes.action(ONE + "/replay", Access.OPERATE, lookup.with(actions::replay));
        routes.action(ONE + "/rotate", Access.ADMIN, lookup.with(actions::rotate));
        routes.action(ONE + "/remove", Access.ADMIN, lookup.with(actions::remove));
    }

    private Reply list(ConsoleRequest request) {
        Optional<String> id = request.parameters().text("id");
        if (id.isPresent()) {
            return open(id.get());
        }
        Optional<String> after = request.parameters().text("after");
        EndpointList list = EndpointList.of(
                request.operator(),
                lookup.dispatcher().listEndpoints(after.orElse(null), ROWS + 1),
                ROWS,
                after.isEmpty(),
                lookup.dispatcher().statistics()::ofEndpoints);
        return Reply.page("Endpoints", PATH, (output, page) -> JteendpointsGenerated.render(output, null, page, list));
    }

    private Reply open(String id) {
        return lookup.dispatcher()
                .getEndpoint(id)
                .map(endpoint -> (Reply) new Reply.Redirect(PATH + "/" + endpoint.endpointId(), null))
                .orElseGet(() -> EndpointLookup.removed(id));
    }

    private Reply show(ConsoleRequest request, Endpoint endpoint) {
        String id = endpoint.endpointId();
        EndpointDetail detail = new EndpointDetail(
                endpoint,
                request.operator().visibleUrl(endpoint.url()),
                overlap,
                lookup.dispatcher().statistics().ofEndpoint(id),
                lookup.dispatcher().operatorViews().openDeliveries(id, EndpointDetail.MAX_OPEN));
        return Reply.page(
                "Endpoint " + id, PATH, (output, page) -> JteendpointGenerated.render(output, null, page, detail));
    }
}
