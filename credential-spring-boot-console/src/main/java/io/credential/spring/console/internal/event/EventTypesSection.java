package io.credential.spring.console.internal.event;

import java.util.List;

import io.credential.spring.console.internal.delivery.AttemptedDelivery;
import io.credential.spring.console.internal.templates.JteeventtypeGenerated;
import io.credential.spring.console.internal.templates.JteeventtypesGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventType;

/** The event types of the application, with their schemas and the endpoints that subscribe to them. */
public final class EventTypesSection implements ConsoleSection {

    private static final String PATH = "event-types";
    private static final int ORDER = 40;

    private final WebhookOperations operations;
    private final WebhookEventCatalog catalog;

    public EventTypesSection(WebhookOperations operations, WebhookEventCatalog catalog) {
        this.operations = operations;
        this.catalog = catalog;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Event types", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.page(PATH + "/{name}", this::show);
        routes.action(PATH + "/{name}/send", Access.OPERATE, this::sendExample);
    }

    private Reply list(ConsoleRequest request) {
        EventTypeList list = new EventTypeList(catalog.types(), subscribers());
        return Reply.page(
                "Event types", PATH, (output, page) -> JteeventtypesGenerated.render(output, null, page, list));
    }

    private Reply show(ConsoleRequest request) {
        WebhookEventType type = type(request);
        String name = type.name();
        Subscribers subscribers = subscribers();
        EventTypeDetail detail = new EventTypeDetail(
                type, catalog.jsonSchema(name), catalog.exampleJson(name), subscribers.to(name), subscribers.areAll());
        return Reply.page(name, PATH, (output, page) -> JteeventtypeGenerated.render(output, null, page, detail));
    }

    private WebhookEventType type(ConsoleRequest request) {
        String name = request.path("name");
        return catalog.types().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> ConsoleException.notFound("The catalog does not contain this event type."));
    }

    /** Sends the example as it is in the catalog: what operators can send is nothing but an example. */
    private Reply sendExample(ConsoleRequest request) {
        String name = type(request).name();
        Delivery sent = operations
                .dispatcher()
                .sendTestEvent(request.parameters().required("endpoint"), name, catalog.exampleJson(name));
        return AttemptedDelivery.reply(sent);
    }

    private Subscribers subscribers() {
        return Subscribers.read(operations.dispatcher());
    }
}
