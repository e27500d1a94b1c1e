package io.credential.spring.console.internal.dead;

import java.time.Instant;
import java.util.List;

import io.credential.spring.console.internal.templates.JtedeadGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.DeadLetterGroups;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.http.FailureReason;

/** Dead deliveries, which are replayed or purged by endpoint and reason. */
public final class DeadSection implements ConsoleSection {

    /** Stands for deliveries that died without an attempt. */
    public static final String NO_REASON = "none";

    private static final String PATH = "dead";
    /** How many groups are shown at most. */
    public static final int SHOWN = 200;

    private static final int ORDER = 30;

    private final WebhookOperations operations;

    public DeadSection(WebhookOperations operations) {
        this.operations = operations;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Dead deliveries", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.action(PATH + "/replay", Access.OPERATE, this::replay);
        routes.action(PATH + "/purge", Access.ADMIN, this::purge);
    }

    private Reply list(ConsoleRequest request) {
        DeadLetterGroups groups = operations.dispatcher().dlq().groups();
        return Reply.page(
                "Dead deliveries", PATH, (output, page) -> JtedeadGenerated.render(output, null, page, groups));
    }

    private Reply replay(ConsoleRequest request) {
        int replayed = operations.dispatcher().dlq().replayAll(group(request.parameters()));
        return Reply.redirect(PATH, "Dead deliveries replayed: " + Formats.count(replayed) + ".");
    }

    /**
     * The endpoint is typed to confirm: a purge cannot be undone. Deliveries that have died since the page was shown are
     * kept.
     */
    private Reply purge(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        parameters.requireTyped(parameters.required("endpoint"));
        Instant until =
                parameters.time("until").orElseThrow(() -> ConsoleException.badRequest("'until' must not be empty."));
        int purged = operations.dispatcher().dlq().purge(group(parameters).withDiedBefore(until));
        return Reply.redirect(PATH, "Dead deliveries purged: " + Formats.count(purged) + ".");
    }

    /** Both are required, because a missing one would select all. */
    private static DeadLetterQuery group(Parameters parameters) {
        DeadLetterQuery query = DeadLetterQuery.ofEndpoint(parameters.required("endpoint"));
        String reason = parameters.required("reason");
        return reason.equals(NO_REASON)
                ? query.withoutReason()
                : query.withReason(FailureReason.ofText(reason)
                        .orElseThrow(
                                () -> ConsoleException.badRequest("'reason' is not a reason of a failed attempt.")));
    }
}
