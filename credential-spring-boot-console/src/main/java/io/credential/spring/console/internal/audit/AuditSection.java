package io.credential.spring.console.internal.audit;

import java.util.List;

import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.spring.console.internal.templates.JteauditGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.AuditOperations;

/** The audit log and its verification. */
public final class AuditSection implements ConsoleSection {

    private static final String PATH = "audit";
    private static final int ORDER = 60;
    private static final int ROWS = 50;

    private final AuditOperations operations;

    public AuditSection(AuditOperations operations) {
        this.operations = operations;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "Audit log", ORDER));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.action(PATH + "/verify", Access.ADMIN, this::verify);
    }

    private Reply list(ConsoleRequest request) {
        AuditFilter filter = AuditFilter.of(request.parameters(), ROWS);
        AuditQuery query =
                filter.query().after(request.parameters().text("cursor").orElse(null));
        AuditList list = new AuditList(
                filter,
                search(query),
                operations.latest().orElse(null),
                operations.lastStored().orElse(null));
        return Reply.page("Audit log", PATH, (output, page) -> JteauditGenerated.render(output, null, page, list));
    }

    private AuditPage search(AuditQuery query) {
        try {
            return operations.search(query);
        } catch (IllegalArgumentException e) {
            throw ConsoleException.badRequest(
                    "'cursor' is not the cursor of an earlier page. Open the audit log again.");
        }
    }

    private Reply verify(ConsoleRequest request) {
        if (!operations.verifyNow()) {
            throw ConsoleException.conflict("A verification is running on this node. Its result appears on the page.");
        }
        return Reply.redirect(PATH, "The verification of the audit log has started. Its result appears below.");
    }
}
