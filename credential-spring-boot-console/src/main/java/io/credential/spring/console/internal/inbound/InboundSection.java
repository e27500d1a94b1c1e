package io.credential.spring.console.internal.inbound;

import java.util.List;

import io.credential.spring.console.internal.templates.JteinboundGenerated;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.InboundOperations;

/** The senders of incoming webhooks, and what became of their requests. */
public final class InboundSection implements ConsoleSection {

    private static final String PATH = "inbound";
    private static final int ORDER = 70;

    private final InboundOperations operations;

    public InboundSection(InboundOperations operations) {
        this.operations = operations;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Incoming", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::show);
    }

    private Reply show(ConsoleRequest request) {
        Inbound inbound = new Inbound(operations.senders(), operations.storedNonces());
        return Reply.page(
                "Incoming webhooks", PATH, (output, page) -> JteinboundGenerated.render(output, null, inbound));
    }
}
