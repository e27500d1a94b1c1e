package io.credential.spring.console.internal.endpoint;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import io.credential.spring.console.internal.delivery.DispatcherProblems;
import io.credential.spring.console.internal.templates.JteendpointformGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.console.internal.web.Reply;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.event.WebhookEventCatalog;

/** Creates and changes endpoints. A form that is rejected is shown again with what was entered. */
final class EndpointEditor {

    private final EndpointLookup lookup;
    private final WebhookEventCatalog catalog;

    EndpointEditor(EndpointLookup lookup, WebhookEventCatalog catalog) {
        this.lookup = lookup;
        this.catalog = catalog;
    }

    Reply blank(ConsoleRequest request) {
        return page(EndpointForm.blank(catalog.types()));
    }

    Reply filled(ConsoleRequest request, Endpoint endpoint) {
        return page(form(request, endpoint));
    }

    private EndpointForm form(ConsoleRequest request, Endpoint endpoint) {
        return EndpointForm.of(
                endpoint, request.operator().can(Access.PAYLOADS) ? endpoint.url() : null, catalog.types());
    }

    Reply create(ConsoleRequest request) {
        return request.once(() -> register(request, EndpointForm.blank(catalog.types()), () -> {
            requireMayChooseUrl(request);
            Endpoint created = lookup.dispatcher().registerEndpoint(RegistrationReader.create(request.parameters()));
            return registered(created, "The endpoint was created.", "The endpoint was created.");
        }));
    }

    Reply save(ConsoleRequest request, Endpoint endpoint) {
        EndpointForm form = form(request, endpoint);
        return request.once(() -> register(request, form, () -> {
            requireUnchanged(request, form);
            requireMayReplaceSecret(request, endpoint);
            if (request.parameters()
                    .text(EndpointForm.URL)
                    .filter(url -> !url.equals(endpoint.url()))
                    .isPresent()) {
                requireMayChooseUrl(request);
            }
            Endpoint saved =
                    lookup.dispatcher().registerEndpoint(RegistrationReader.replace(endpoint, request.parameters()));
            return registered(
                    saved, "The endpoint was saved.", "The endpoint was saved. Its new scheme needs another secret.");
        }));
    }

    private static void requireUnchanged(ConsoleRequest request, EndpointForm form) {
        if (!form.version().equals(request.parameters().required("version"))) {
            throw ConsoleException.conflict(
                    "The endpoint was changed after this form was opened. Save again to replace it by the values below.");
        }
    }

    private static void requireMayReplaceSecret(ConsoleRequest request, Endpoint endpoint) {
        if (RegistrationReader.scheme(request.parameters()) != endpoint.scheme()
                && !request.operator().can(Access.ADMIN)) {
            throw ConsoleException.missing(Access.ADMIN, "Another signature scheme replaces the secret.");
        }
    }

    /** Whoever chooses the URL gets the payloads. */
    private static void requireMayChooseUrl(ConsoleRequest request) {
        if (!request.operator().can(Access.PAYLOADS)) {
            throw ConsoleException.missing(Access.PAYLOADS, "Payloads are sent to the URL.");
        }
    }

    private static Reply registered(Endpoint endpoint, String done, String doneWithSecret) {
        @Nullable String secret = endpoint.secret();
        return secret == null
                ? Reply.redirect(EndpointActions.path(endpoint), done)
                : EndpointActions.newSecret(doneWithSecret, endpoint, secret);
    }

    private static Reply register(ConsoleRequest request, EndpointForm form, Supplier<Reply> registration) {
        try {
            return registration.get();
        } catch (ConsoleException e) {
            return page(form.rejected(request.parameters(), e.problem()));
        } catch (WebhookDispatcherException e) {
            if (e.errorCode() == WebhookDispatcherErrorCode.NOT_FOUND) {
                throw e;
            }
            return page(form.rejected(request.parameters(), DispatcherProblems.of(e)));
        }
    }

    private static Reply page(EndpointForm form) {
        @Nullable Endpoint endpoint = form.endpoint();
        @Nullable Problem problem = form.problem();
        return Reply.page(
                problem == null ? HttpStatus.OK : problem.status(),
                endpoint == null ? "New endpoint" : "Edit endpoint " + endpoint.endpointId(),
                EndpointsSection.PATH,
                (output, page) -> JteendpointformGenerated.render(output, null, page, form));
    }
}
